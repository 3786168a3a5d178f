import type { CapacityTrial } from "../model/capacity.ts";
import type { LatencyLimit, Slo } from "../model/slo.ts";
import type { Latency, Measurement, OpenRecord } from "../model/raw.ts";
import { percentileUs } from "../stats/histogram.ts";
import { successesOf } from "./figures.ts";

/** Where nothing is said of errors, so many requests have to be answered. */
const USUAL_ERROR_SHARE = 0.01;

/**
 * Whether users were given what the SLO says, in one window of an open loop; null if it was none.
 *
 * @param isFresh whether its process had no load before
 */
export function capacityTrialOf(
  measurement: Measurement,
  perS: number,
  isFresh: boolean,
  slo: Slo,
): CapacityTrial | null {
  const { open, durationS } = measurement;
  if (open === null) return null;
  const { latencies, errorShare } = slo;
  const areFew = errorsOf(measurement, open) <
    (errorShare ?? USUAL_ERROR_SHARE) * Math.max(1, open.offered);
  const isMet = areFew && latencies.every((limit) => isQuick(open, limit, false));
  // Requests that were sent late may have had to wait for that alone
  const isMeasurable = isMet || !areFew || !latencies.every((limit) => isQuick(open, limit, true));
  return {
    perS,
    isFresh,
    isMet,
    isMeasurable,
    achievedPerS: successesOf(measurement) / durationS,
  };
}

/** @param isWithoutLateness whether the load generator's own lateness is taken off */
function isQuick(
  { responseTime, lateness }: OpenRecord,
  { percentile, us }: LatencyLimit,
  isWithoutLateness: boolean,
): boolean {
  const of = (latency: Latency | null): number | null =>
    latency && percentileUs(latency, percentile);
  const wholeUs = of(responseTime) ?? Infinity;
  return (isWithoutLateness ? wholeUs - (of(lateness) ?? 0) : wholeUs) < us;
}

/** Requests that have no right response. */
function errorsOf(
  { wrongResponses, statuses }: Measurement,
  { failed, unanswered, shed }: OpenRecord,
): number {
  const responses = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const refused = responses - successesOf({ statuses } as Measurement);
  return failed + unanswered + shed + refused + wrongResponses;
}
