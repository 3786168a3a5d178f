import { setImmediate } from "node:timers";

/**
 * Divides the event loop's time between long responses. Each turn of the loop does a limited number of
 * work units, such as events. Further units wait for later turns, first in, first out. Short requests
 * are answered in between.
 */
export class Turns {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isCounting = false;

  /** @param perTurn maximum number of work units in a turn */
  constructor(perTurn: number) {
    this.#perTurn = this.#left = perTurn;
  }

  /**
   * Requests one unit of work.
   *
   * @returns null if the caller may do it now, else a promise that resolves in a later turn.
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

  /** Begins the next turn, and resolves the promises of its units. */
  readonly #begin = (): void => {
    const next = this.#waiting.splice(0, this.#perTurn);
    this.#left = this.#perTurn - next.length;
    this.#isCounting = next.length > 0;
    if (this.#isCounting) setImmediate(this.#begin);
    for (const resolve of next) resolve();
  };
}
