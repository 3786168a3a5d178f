import { seededRandom } from "../stats/shuffle.ts";

/** How what is due in an open loop follows each other: at even times, or as a Poisson process. */
export type Pace =
  | { readonly kind: "even"; readonly gapMs: number }
  | { readonly kind: "poisson"; readonly gapMs: number; readonly seed: number };

/**
 * Milliseconds from the start to each arrival, without end; the same for the same pace.
 *
 * In a Poisson process, which is what many users make who know nothing of each other, gaps have an
 * exponential distribution, by
 * [inverse transform](https://en.wikipedia.org/wiki/Exponential_distribution#Random_variate_generation).
 */
export function* arrivalsOf(pace: Pace): Generator<number, never> {
  const { gapMs } = pace;
  if (pace.kind === "even") {
    for (let i = 1;; i++) yield i * gapMs;
  }
  const random = seededRandom(pace.seed);
  let atMs = 0;
  for (;;) yield atMs -= gapMs * Math.log(1 - random());
}
