/**
 * Finds out when something takes too long, of things that end in the order in which they began, with one
 * timer for all of them: one for each costs a query 1 µs.
 */
export class Deadline implements Disposable {
  readonly #ms: number;
  readonly #onLate: () => void;
  /** When each of what is under way began, the oldest first. */
  readonly #began: number[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param onLate hears once that the oldest one has taken `ms` milliseconds */
  constructor(ms: number, onLate: () => void) {
    this.#ms = ms;
    this.#onLate = onLate;
  }

  /** One more begins. */
  begin(): void {
    this.#began.push(performance.now());
    if (this.#timer === null) this.#wait(this.#ms);
  }

  /** The oldest one ends. */
  end(): void {
    this.#began.shift();
  }

  #wait(ms: number): void {
    const timer = setTimeout(this.#look, ms);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  readonly #look = (): void => {
    this.#timer = null;
    const [oldest] = this.#began;
    if (oldest === undefined) return;
    const leftMs = oldest + this.#ms - performance.now();
    if (leftMs > 0) this.#wait(Math.ceil(leftMs));
    else this.#onLate();
  };

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
