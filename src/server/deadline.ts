/**
 * Detects items of work, such as queries, that take too long. The items must end in the order in which
 * they began.
 *
 * One timer serves all items: a timer for each would cost a query 1 µs.
 */
export class Deadline implements Disposable {
  readonly #ms: number;
  readonly #onLate: () => void;
  /** Start times of the items in progress, the oldest first. */
  readonly #began: number[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  /**
   * Sets the limit.
   *
   * @param ms time limit of an item, in milliseconds
   * @param onLate called once, when the oldest item exceeds the limit
   */
  constructor(ms: number, onLate: () => void) {
    this.#ms = ms;
    this.#onLate = onLate;
  }

  /** Records that an item begins now. */
  begin(): void {
    this.#began.push(performance.now());
    if (this.#timer === null) this.#wait(this.#ms);
  }

  /** Records that the oldest item has ended. */
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
