import { setImmediate } from "node:timers";

/**
 * Divides the event loop's time between long requests. Each turn runs a limited number of work units;
 * the others wait for later turns, first in, first out. Short requests are answered in between.
 */
export class Turns {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isCounting = false;

  /** @param perTurn work units per turn */
  constructor(perTurn: number) {
    this.#perTurn = this.#left = perTurn;
  }

  /**
   * Takes one unit of work.
   *
   * @returns null if the current turn has one left, else a promise that resolves in a later turn.
   */
  take(): Promise<void> | null {
    if (!this.#isCounting) {
      this.#isCounting = true;
      setImmediate(this.#begin);
    }
    if (this.#left > 0) {
      this.#left--;
      return null;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Begins the next turn. */
  readonly #begin = (): void => {
    const next = this.#waiting.splice(0, this.#perTurn);
    this.#left = this.#perTurn - next.length;
    this.#isCounting = next.length > 0;
    if (this.#isCounting) setImmediate(this.#begin);
    for (const resolve of next) resolve();
  };
}
