import type { ConfidenceInterval } from "../model/derived.ts";
import { rankConfidenceInterval } from "./confidence_interval.ts";
import { median } from "./median.ts";

/** How many times as large one quantity is as another: 1.05 is 5 % more. */
export interface Ratio {
  readonly estimate: number;
  /** Null if there are too few values for one. */
  readonly confidenceInterval: ConfidenceInterval | null;
  /** How probable values as far apart as these are, two-sided, if both quantities were the same. */
  readonly pValue: number;
}

/**
 * ln(a / b). Swapping a and b changes nothing but the sign, to the last bit, so that equal distances
 * up and down tie.
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
 * The Hodges-Lehmann estimate, the median of `logs`, and its interval, both as ratios.
 * https://en.wikipedia.org/wiki/Hodges%E2%80%93Lehmann_estimator
 *
 * @param logs logarithms of ratios, one for each pair that the rank statistic compares
 * @param chances the statistic's null distribution: how many of `logs` are below the true one
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
