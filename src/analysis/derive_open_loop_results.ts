import type { OpenRecord, TrialResult, WindowRecord } from "../model/raw.ts";
import type { LatencySummary, OpenCheck, OpenLoopResult } from "../model/derived.ts";
import { merge } from "../stats/histogram.ts";
import { quantileIsKnown } from "../stats/confidence_interval.ts";
import { resultKeyOf } from "./keys.ts";
import { typical } from "./rounds.ts";
import { responsesOf, successesOf } from "../model/figures.ts";

/** Minimum share of scheduled requests that must be sent and answered. Below it, the rate was not reached. */
const REACHED_SHARE = 0.99;
/**
 * Maximum lateness of the generator at a percentile, as a share of the response time at that percentile.
 * Lateness up to {@linkcode LATENESS_US} is always accepted.
 */
const LATENESS_SHARE = 0.1;
/** Lateness of the generator that is always accepted, in microseconds. */
const LATENESS_US = 50;
/**
 * Maximum deviation of a percentile from theory in the check of the open loop, as a share. A deviation up to
 * {@linkcode CHECK_US} is always accepted. Theory is the queue at a server with constant service time.
 */
const CHECK_SHARE = 0.05;
/** Deviation from theory that is always accepted, in microseconds. */
const CHECK_US = 50;
/** The percentiles that are printed, by their names. */
const PERCENTILES = { p50Us: 0.5, p90Us: 0.9, p99Us: 0.99, p999Us: 0.999 } as const;
/** The percentiles that are compared with theory in the check of the open loop. */
const CHECKED = ["p50Us", "p90Us", "p99Us"] as const;

/** Returns the response times of each server at each scenario and rate, in the order of the windows. */
export function deriveOpenLoopResults(
  trialResults: readonly TrialResult[],
  checks: readonly OpenCheck[],
): OpenLoopResult[] {
  const open = trialResults.filter(({ trial }) =>
    trial.load.open !== null && trial.purpose === "measure"
  );
  const groups = Map.groupBy(open, ({ trial }) => JSON.stringify(resultKeyOf(trial)));
  return [...groups.values()].map((group) => {
    const [{ trial }] = group as [TrialResult, ...TrialResult[]];
    const check = checks.find(({ perS }) => perS === trial.load.open?.perS) ?? null;
    return summaryOf(group as [TrialResult, ...TrialResult[]], check);
  });
}

/**
 * Returns the highest percentile up to which the check of an open loop agrees with theory, within 5 % or 50
 * µs. Returns 0 if not even the median agrees, and 1 if all do.
 */
export function checkedUpTo({ expected, found }: OpenCheck): number {
  let highest = 0;
  for (const name of CHECKED) {
    const [theory, measured] = [expected[name], found[name]];
    if (theory === null || measured === null) return highest; // too few requests for this percentile
    if (Math.abs(measured - theory) > Math.max(CHECK_US, CHECK_SHARE * theory)) return highest;
    highest = PERCENTILES[name];
  }
  return 1;
}

function summaryOf(
  trialResults: readonly [TrialResult, ...TrialResult[]],
  check: OpenCheck | null,
): OpenLoopResult {
  const windows = trialResults.flatMap(({ window }) => window ?? []);
  const records = windows.flatMap(({ measurement }) => measurement.open ?? []);
  const sum = (value: (record: OpenRecord) => number): number =>
    records.reduce((total, record) => total + value(record), 0);
  const timesOf = (
    part: "responseTime" | "lateness" | "wait" | "serviceTime",
  ): LatencySummary | null => timesIn(records.map((record) => record[part]));
  const offered = sum((record) => record.offered);
  const sent = sum((record) => record.sent);
  const answered = sum(({ serviceTime }) => serviceTime?.count ?? 0);
  const refused = windows.reduce(
    (total, { measurement }) => total + responsesOf(measurement) - successesOf(measurement),
    0,
  );
  const [responseTime, lateness] = [timesOf("responseTime"), timesOf("lateness")];
  return {
    ...resultKeyOf(trialResults[0].trial),
    status: offered === 0
      ? "failed"
      : Math.min(sent, answered - refused) < REACHED_SHARE * offered
      ? "unreached"
      : "ok",
    rounds: records.length,
    offered,
    sent,
    failed: sum((record) => record.failed),
    refused,
    unanswered: sum((record) => record.unanswered),
    shed: sum((record) => record.shed),
    goodputPerS: typical(windows, goodputPerS),
    besidePerS: typical(
      windows,
      ({ beside }) => beside && successesOf(beside) / beside.durationS,
    ),
    recoveryS: typical(records, (record) => record.recoveryS),
    responseTime,
    lateness,
    wait: timesOf("wait"),
    serviceTime: timesOf("serviceTime"),
    measurableUpTo: responseTime && lateness ? measurable(responseTime, lateness, check) : 0,
  };
}

/**
 * Returns right responses per second within a window. The count is at most the number of requests scheduled
 * in the window. So responses to earlier requests do not increase it.
 */
function goodputPerS({ measurement }: WindowRecord): number {
  const { open, durationS } = measurement;
  return Math.min(successesOf(measurement), open?.offered ?? Infinity) / durationS;
}

/**
 * Returns the highest percentile that the load generator can measure; 0 if it cannot measure the median. The
 * generator's lateness must be small, and so must its deviation from theory in the check.
 */
function measurable(
  responseTime: LatencySummary,
  lateness: LatencySummary,
  check: OpenCheck | null,
): number {
  let highest = 0;
  for (const [name, percentile] of Object.entries(PERCENTILES)) {
    const [own, all] = [
      lateness[name as keyof LatencySummary],
      responseTime[name as keyof LatencySummary],
    ];
    if (own === null || all === null || own > Math.max(LATENESS_US, LATENESS_SHARE * all)) break;
    const wrongUs = errorUs(check, name as keyof typeof PERCENTILES);
    if (wrongUs > Math.max(CHECK_US, CHECK_SHARE * all)) break;
    highest = percentile;
  }
  return highest;
}

/**
 * Returns the deviation of a percentile from theory in a check, in microseconds. For a percentile that is not
 * checked, it is the deviation of the 99th.
 */
function errorUs(check: OpenCheck | null, name: keyof typeof PERCENTILES): number {
  const checked = CHECKED.find((one) => one === name) ?? "p99Us";
  const [theory, measured] = [check?.expected[checked] ?? null, check?.found[checked] ?? null];
  return theory === null || measured === null ? 0 : Math.abs(measured - theory);
}

function timesIn(latencies: Parameters<typeof merge>[0]): LatencySummary | null {
  const all = merge(latencies.filter((latency) => latency !== null));
  if (all === null || all.p50Us === null || all.meanUs === null || all.maxUs === null) return null;
  const known = (value: number | null, percentile: number): number | null =>
    quantileIsKnown(all.count, percentile) ? value : null;
  return {
    count: all.count,
    meanUs: all.meanUs,
    p50Us: all.p50Us,
    p90Us: known(all.p90Us, PERCENTILES.p90Us),
    p99Us: known(all.p99Us, PERCENTILES.p99Us),
    p999Us: known(all.p999Us, PERCENTILES.p999Us),
    maxUs: all.maxUs,
  };
}
