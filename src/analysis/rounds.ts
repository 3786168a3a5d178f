/** Estimates and medians of figures over rounds. */
import type { Estimate } from "../model/derived.ts";
import { medianConfidenceInterval } from "../stats/confidence_interval.ts";
import {
  coefficientOfVariation,
  median,
  medianAbsoluteDeviation,
  outliers,
} from "../stats/median.ts";
import { minimumDetectableChange } from "../stats/power.ts";

/** Returns the estimate of a figure over the items that have it; null if none has it. */
export function estimateOf<T>(
  items: readonly T[],
  roundOf: (item: T) => number,
  figure: (item: T) => number | null,
): Estimate | null {
  const known = items.flatMap((item) => {
    const value = figure(item);
    return value === null ? [] : [{ round: roundOf(item), value }];
  });
  if (known.length === 0) return null;
  const values = known.map(({ value }) => value);
  const cv = coefficientOfVariation(values);
  return {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    confidenceInterval: medianConfidenceInterval(values),
    cv,
    mad: medianAbsoluteDeviation(values),
    outlierRounds: outliers(values).flatMap((i) => known[i]?.round ?? []),
    minimumDetectableChange: cv === null ? null : minimumDetectableChange(cv, values.length),
  };
}

/** Returns the median of the known values; null if none is known. */
export function typical<T>(items: readonly T[], value: (item: T) => number | null): number | null {
  const known = items.map(value).filter((figure) => figure !== null);
  return known.length === 0 ? null : median(known);
}
