import type { ConfidenceInterval } from "../model/derived.ts";
import { rankConfidenceInterval } from "./confidence_interval.ts";
import { median } from "./median.ts";

/** The ratio of two quantities: 1.05 is 5 % more. */
export interface Ratio {
  readonly estimate: number;
  /** Null if there are too few values. */
  readonly confidenceInterval: ConfidenceInterval | null;
  /** Two-sided p-value of the hypothesis that both quantities are equal. */
  readonly pValue: number;
}

/**
 * Returns ln(a / b). Swapping a and b changes only the sign, to the last bit, so equal distances up and down
 * are ties.
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
 * @param chances null distribution of the statistic: the number of `logs` below the true one
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
