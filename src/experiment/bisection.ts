/** Searches for the first slow one of a series of candidates, the oldest first; the last one is slow. */
import { pairedRatio } from "../stats/rank_tests.ts";

/** What is known of a candidate; null if it was not measured. A skipped one cannot be measured. */
export type Verdict = "fast" | "slow" | "skipped" | null;

/** The next candidate to measure, or the candidates that may be the first slow one. */
export type Step = Readonly<{ middle: number } | { culprits: readonly number[] }>;

/**
 * Returns the next step, by index: the candidate nearest to the middle between the last fast and the
 * first slow one. Without a candidate left, the culprits are the skipped ones and the first slow one.
 */
export function nextStep(verdicts: readonly Verdict[]): Step {
  const last = verdicts.length - 1;
  const first = verdicts.indexOf("slow") < 0 ? last : verdicts.indexOf("slow");
  const from = verdicts.lastIndexOf("fast", first) + 1;
  const between = Array.from({ length: first - from }, (_one, i) => from + i);
  const open = between.filter((i) => verdicts[i] === null);
  // With n candidates left, half of n cannot be the culprit after the middle is measured
  const middle = from + (first - from) / 2 - 0.5;
  const [nearest] = open.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return nearest === undefined ? { culprits: [...between, first] } : { middle: nearest };
}

/** Returns the largest number of middles to measure among candidates, without skipped ones. */
export function mostMiddles(candidates: number): number {
  return Math.ceil(Math.log2(candidates));
}

/** Probability that a bisection misjudges any candidate: the usual level. */
const ALPHA = 0.05;

/** Returns the coverage of each interval: all measurements of a bisection share its level (Bonferroni). */
export function coverageOf(candidates: number): number {
  // Every middle can be measured twice
  return 1 - ALPHA / Math.max(1, 2 * mostMiddles(candidates));
}

/** A middle relative to the fast end. */
export interface Judged {
  readonly verdict: "fast" | "slow" | null;
  readonly ratio: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Judges a candidate by its ratios to the fast end, one for each round. It is slow or fast if its
 * whole confidence interval is on one side of the geometric mean of 1 and `jump`, the ratio of the
 * slow end to the fast end; otherwise its verdict is null.
 */
export function judge(ratios: readonly number[], jump: number, coverage: number): Judged {
  const ratio = pairedRatio(ratios, ratios.map(() => 1), coverage);
  const ends = ratio?.confidenceInterval ?? null;
  if (ratio === null || ends === null) return { verdict: null, ratio: null, low: null, high: null };
  const middle = Math.sqrt(jump);
  const { low, high } = ends;
  const [isAbove, isBelow] = [low > middle, high < middle];
  const isSlow = jump > 1 ? isAbove : isBelow;
  const verdict = !isAbove && !isBelow ? null : isSlow ? "slow" : "fast";
  return { verdict, ratio: ratio.estimate, low, high };
}
