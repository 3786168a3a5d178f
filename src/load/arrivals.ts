import { seededRandom } from "../stats/shuffle.ts";

/** Spacing of the arrivals in an open loop: even, or a Poisson process. */
export type Pace =
  | { readonly kind: "even"; readonly gapMs: number }
  | { readonly kind: "poisson"; readonly gapMs: number; readonly seed: number };

/**
 * Yields the times of arrivals in milliseconds from the start, without end. The same pace yields the
 * same times.
 *
 * A Poisson process models many independent users. Its gaps have an exponential distribution, drawn by
 * [inverse
 * transform](https://en.wikipedia.org/wiki/Exponential_distribution#Random_variate_generation).
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
