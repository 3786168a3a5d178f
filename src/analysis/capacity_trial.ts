import type { CapacityTrial } from "../model/capacity.ts";
import type { Objective } from "../model/objective.ts";
import type { Measurement, OpenRecord } from "../model/raw.ts";
import { percentileUs } from "../stats/histogram.ts";
import { successesOf } from "./figures.ts";

/** Where nothing is said of errors, so many requests have to be answered. */
const USUAL_ERROR_SHARE = 0.01;
/** The load generator may be so late itself, of the tightest limit, or so many microseconds. */
const OWN_SHARE = 0.1;
const OWN_US = 50;
const TAIL = 0.99;

/**
 * Whether users were given what the objective says, in one window of an open loop; null if it was none.
 *
 * @param isFresh whether its process had no load before
 */
export function capacityTrialOf(
  measurement: Measurement,
  perS: number,
  isFresh: boolean,
  objective: Objective,
): CapacityTrial | null {
  const { open, durationS } = measurement;
  if (open === null) return null;
  const isMeasurable = isOnTime(open, objective);
  const { latencies, errorShare } = objective;
  const areQuick = latencies.every(({ percentile, us }) =>
    open.response !== null && (percentileUs(open.response, percentile) ?? Infinity) < us
  );
  const isMet = areQuick && errorsOf(measurement, open) <
      (errorShare ?? USUAL_ERROR_SHARE) * Math.max(1, open.offered);
  return {
    perS,
    isFresh,
    isMet: isMeasurable && isMet,
    isMeasurable,
    achievedPerS: successesOf(measurement) / durationS,
  };
}

/** Requests that have no right answer. */
function errorsOf(
  { wrongAnswers, statuses }: Measurement,
  { failed, unanswered, shed }: OpenRecord,
): number {
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const refused = answers - successesOf({ statuses } as Measurement);
  return failed + unanswered + shed + refused + wrongAnswers;
}

/** Whether the load generator itself saw in time what was due. */
function isOnTime({ lag }: OpenRecord, { latencies }: Objective): boolean {
  const tightestUs = Math.min(...latencies.map(({ us }) => us));
  const lateUs = lag && percentileUs(lag, TAIL);
  return lateUs !== null && lateUs <= Math.max(OWN_US, OWN_SHARE * tightestUs);
}
