/**
 * Whose turn it is among several that have weights: each is as often next as its weight says, and as evenly as
 * can be, which random numbers are only in the long run.
 */
export class WeightedRoundRobin {
  readonly #weights: readonly number[];
  readonly #sum: number;
  readonly #credits: number[];

  /** @param weights more than 0 each */
  constructor(weights: readonly number[]) {
    this.#weights = weights;
    this.#sum = weights.reduce((sum, weight) => sum + weight, 0);
    this.#credits = weights.map(() => 0);
  }

  /**
   * The place of the one that is next.
   *
   * [Smooth weighted round-robin](https://en.wikipedia.org/wiki/Weighted_round_robin), as nginx has it: all
   * gain their weights, and the one with the most pays the sum of them.
   */
  next(): number {
    let best = 0;
    for (let i = 0; i < this.#weights.length; i++) {
      this.#credits[i] = (this.#credits[i] ?? 0) + (this.#weights[i] ?? 0);
      if ((this.#credits[i] ?? 0) > (this.#credits[best] ?? 0)) best = i;
    }
    this.#credits[best] = (this.#credits[best] ?? 0) - this.#sum;
    return best;
  }
}
