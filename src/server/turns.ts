import { setImmediate } from "node:timers";

/**
 * Shares the event loop's turns among requests that have much to do: each turn does so many units of
 * work, and the rest waits for the next ones, first in, first out. In between, others are answered.
 */
export class Turns {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isCounting = false;

  /** @param perTurn units of work in one turn */
  constructor(perTurn: number) {
    this.#perTurn = this.#left = perTurn;
  }

  /** Takes one unit of work: null if this turn has one left, else a promise of a later one. */
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

  /** Begins a turn. */
  readonly #begin = (): void => {
    const next = this.#waiting.splice(0, this.#perTurn);
    this.#left = this.#perTurn - next.length;
    this.#isCounting = next.length > 0;
    if (this.#isCounting) setImmediate(this.#begin);
    for (const resolve of next) resolve();
  };
}
