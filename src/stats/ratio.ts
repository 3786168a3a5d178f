import type { ConfidenceInterval } from "../model/derived.ts";
import { rankConfidenceInterval } from "./confidence_interval.ts";
import { median } from "./median.ts";

/** The ratio of two quantities: 1.05 is 5 % more. */
export interface Ratio {
  readonly estimate: number;
  /** Confidence interval of the ratio; null for too few values. */
  readonly confidenceInterval: ConfidenceInterval | null;
  /** Two-sided p-value of the hypothesis that both quantities are equal. */
  readonly pValue: number;
}

/**
 * Returns ln(a / b). `logRatio(a, b)` is exactly `-logRatio(b, a)`. Rank tests therefore treat the ratios 2
 * and 1/2 as equally far from 1.
 *
 * @throws {RangeError} unless both are positive and finite.
 */
export function logRatio(a: number, b: number): number {
  if (!(Math.min(a, b) > 0 && Math.max(a, b) < Infinity)) {
    throw new RangeError(
      `Cannot take the ratio of ${a} and ${b}: both must be positive and finite`,
    );
  }
  return a >= b ? Math.log(a / b) : -Math.log(b / a);
}

/**
 * Returns the Hodges-Lehmann estimate (the median of `logs`) and its confidence interval, both as ratios.
 * https://en.wikipedia.org/wiki/Hodges%E2%80%93Lehmann_estimator
 *
 * @param logs logarithms of ratios, one for each pair of the rank statistic
 * @param chances `chances[i]` is the probability that i of the `logs` are below the true logarithm
 * @param level minimum probability that the interval covers the true ratio, 0 to 1
 */
export function ratioOf(
  logs: readonly number[],
  chances: Float64Array,
  level: number,
  pValue: number,
): Ratio {
  const confidenceInterval = rankConfidenceInterval(logs, chances, level);
  return {
    estimate: Math.exp(median(logs)),
    confidenceInterval: confidenceInterval &&
      {
        ...confidenceInterval,
        low: Math.exp(confidenceInterval.low),
        high: Math.exp(confidenceInterval.high),
      },
    pValue,
  };
}
