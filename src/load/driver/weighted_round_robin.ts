/**
 * Chooses items in proportion to their weights, and as evenly as possible. Random choice would only be
 * even in the long run.
 */
export class WeightedRoundRobin {
  readonly #weights: readonly number[];
  readonly #sum: number;
  readonly #credits: number[];

  /** @param weights greater than 0 */
  constructor(weights: readonly number[]) {
    this.#weights = weights;
    this.#sum = weights.reduce((sum, weight) => sum + weight, 0);
    this.#credits = weights.map(() => 0);
  }

  /**
   * Returns the index of the next item by [smooth weighted
   * round-robin](https://en.wikipedia.org/wiki/Weighted_round_robin), as in nginx.
   *
   * Every item gains its weight as credit. The item with the most credit is chosen and loses the
   * sum of the weights.
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
