import type { Ticks } from "../metronome.ts";

/** A clock that only moves when a test moves it, and a metronome on it. */
export class TestClock implements Ticks {
  #now = 1000;
  #due = Infinity;
  #intervalMs = Infinity;
  #onTick: (due: number) => void = () => {};
  #ticks = 0;

  /** The time, in milliseconds. */
  readonly now = (): number => this.#now;

  /** Number of calls so far. */
  get ticks(): number {
    return this.#ticks;
  }

  start(...[{ gapMs: intervalMs }, onTick]: Parameters<Ticks["start"]>): void {
    this.#intervalMs = intervalMs;
    this.#due = this.#now + intervalMs;
    this.#onTick = onTick;
  }

  stop(): void {
    this.#due = Infinity;
  }

  /** Moves the clock forward and makes all calls that are due. */
  advance(ms: number): void {
    const end = this.#now + ms;
    while (this.#due <= end) {
      this.#now = this.#due;
      this.#due += this.#intervalMs;
      this.#ticks++;
      this.#onTick(this.#now);
    }
    this.#now = end;
  }

  /** Moves the clock to the next call, but not beyond a time. */
  advanceToTick(latest: number): void {
    this.advance(Math.min(this.#due, latest) - this.#now);
  }
}
