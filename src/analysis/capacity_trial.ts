import type { CapacityTrial } from "../model/capacity.ts";
import type { LatencyLimit, Slo } from "../model/slo.ts";
import type { Latency, Measurement, OpenRecord } from "../model/raw.ts";
import { percentileUs } from "../stats/histogram.ts";
import { successesOf } from "../model/figures.ts";

/** Maximum share of failed requests if the SLO has no limit for it. */
const USUAL_ERROR_SHARE = 0.01;

/**
 * Returns whether one window of an open loop met the SLO; null for a closed loop.
 *
 * @param isFresh whether the server process had no load before
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
  // A late request may have missed the limit only because the load generator was late.
  const isMeasurable = isMet || !areFew || !latencies.every((limit) => isQuick(open, limit, true));
  return {
    perS,
    isFresh,
    isMet,
    isMeasurable,
    achievedPerS: successesOf(measurement) / durationS,
  };
}

/**
 * Returns whether a percentile of the response time is below its limit.
 *
 * @param isWithoutLateness whether the generator's lateness is subtracted
 */
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

/** Returns the number of requests without a right response. */
function errorsOf(
  { wrongResponses, statuses }: Measurement,
  { failed, unanswered, shed }: OpenRecord,
): number {
  const responses = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const refused = responses - successesOf({ statuses } as Measurement);
  return failed + unanswered + shed + refused + wrongResponses;
}
