/** Derives response times in open loops, and up to which percentile they belong to the server. */
import type { LatencySummary, OpenCheck, OpenLoopResult } from "../model/derived.ts";
import { responsesOf, successesOf } from "../model/figures.ts";
import type { Latency, TrialResult, WindowRecord } from "../model/raw.ts";
import { quantileIsKnown } from "../stats/confidence_interval.ts";
import { merge } from "../stats/histogram.ts";
import { sum, typical } from "../stats/median.ts";
import { byResult, resultKeyOf } from "./keys.ts";

/** Minimum share of scheduled requests that must be sent and answered, or the rate was not reached. */
const REACHED_SHARE = 0.99;
/** Maximum lateness of the generator at a percentile, as a share of the response time, or in µs. */
const [LATENESS_SHARE, LATENESS_US] = [0.1, 50];
/** Maximum deviation from theory (constant service time) in the check, as a share, or in µs. */
const [CHECK_SHARE, CHECK_US] = [0.05, 50];
const PERCENTILES = { p50Us: 0.5, p90Us: 0.9, p99Us: 0.99, p999Us: 0.999 } as const;
type Percentile = keyof typeof PERCENTILES;
const CHECKED = ["p50Us", "p90Us", "p99Us"] as const;

/** Returns the response times of each server at each scenario and rate, in the order of the windows. */
export function deriveOpenLoopResults(
  trialResults: readonly TrialResult[],
  checks: readonly OpenCheck[],
): OpenLoopResult[] {
  const open = trialResults.filter(({ trial }) =>
    trial.load.open !== null && trial.purpose === "measure"
  );
  return byResult(open, ({ trial }) => resultKeyOf(trial)).map((group) => resultOf(group, checks));
}

function resultOf(
  trialResults: readonly [TrialResult, ...TrialResult[]],
  checks: readonly OpenCheck[],
): OpenLoopResult {
  const key = resultKeyOf(trialResults[0].trial);
  const check = checks.find(({ perS }) => perS === key.perS) ?? null;
  const windows = trialResults.flatMap(({ window }) => window ?? []);
  const records = windows.flatMap(({ measurement }) => measurement.open ?? []);
  const total = (count: "offered" | "sent" | "failed" | "unanswered" | "shed"): number =>
    sum(records.map((record) => record[count]));
  const timesOf = (part: "responseTime" | "lateness" | "wait" | "serviceTime") =>
    summaryOf(merge(records.map((record) => record[part])));
  const [offered, sent] = [total("offered"), total("sent")];
  const answered = sum(records.map(({ serviceTime }) => serviceTime?.count ?? 0));
  const refused = sum(windows.map(({ measurement: of }) => responsesOf(of) - successesOf(of)));
  const isReached = Math.min(sent, answered - refused) >= REACHED_SHARE * offered;
  const [responseTime, lateness] = [timesOf("responseTime"), timesOf("lateness")];
  return {
    ...key,
    status: offered === 0 ? "failed" : isReached ? "ok" : "unreached",
    rounds: records.length,
    offered,
    sent,
    failed: total("failed"),
    refused,
    unanswered: total("unanswered"),
    shed: total("shed"),
    goodputPerS: typical(windows, goodputPerS),
    besidePerS: typical(windows, ({ beside }) => beside && successesOf(beside) / beside.durationS),
    recoveryS: typical(records, (record) => record.recoveryS),
    responseTime,
    lateness,
    wait: timesOf("wait"),
    serviceTime: timesOf("serviceTime"),
    measurableUpTo: responseTime && lateness ? measurable(responseTime, lateness, check) : 0,
  };
}

function summaryOf(times: Latency | null): LatencySummary | null {
  if (times === null) return null;
  const { count, meanUs, p50Us, maxUs } = times;
  if (p50Us === null || meanUs === null || maxUs === null) return null;
  const known = (name: Percentile): number | null =>
    quantileIsKnown(count, PERCENTILES[name]) ? times[name] : null;
  const tail = { p90Us: known("p90Us"), p99Us: known("p99Us"), p999Us: known("p999Us") };
  return { count, meanUs, p50Us, ...tail, maxUs };
}

/** Returns right responses per second, at most the scheduled requests: earlier requests do not count. */
function goodputPerS({ measurement }: WindowRecord): number {
  const { open, durationS } = measurement;
  return Math.min(successesOf(measurement), open?.offered ?? Infinity) / durationS;
}

/** Returns the highest percentile with small lateness and deviation; an unchecked one deviates like p99. */
function measurable(
  responseTime: LatencySummary,
  lateness: LatencySummary,
  check: OpenCheck | null,
): number {
  let highest = 0;
  for (const [name, percentile] of Object.entries(PERCENTILES) as [Percentile, number][]) {
    const [own, all] = [lateness[name], responseTime[name]];
    if (own === null || all === null || isLateAt(own, all)) break;
    const deviationUs = check && deviationOf(check, CHECKED.find((one) => one === name) ?? "p99Us");
    if ((deviationUs ?? 0) > Math.max(CHECK_US, CHECK_SHARE * all)) break;
    highest = percentile;
  }
  return highest;
}

/** Returns whether the generator's lateness exceeds a share of a percentile; both in microseconds. */
export function isLateAt(
  latenessUs: number,
  responseTimeUs: number,
  share: number = LATENESS_SHARE,
): boolean {
  return latenessUs > Math.max(LATENESS_US, share * responseTimeUs);
}

/** Returns the highest percentile up to which a check agrees with theory; 0 if none does, 1 if all do. */
export function checkedUpTo(check: OpenCheck): number {
  let highest = 0;
  for (const name of CHECKED) {
    const deviationUs = deviationOf(check, name);
    const most = Math.max(CHECK_US, CHECK_SHARE * (check.expected[name] ?? 0));
    if (deviationUs === null || deviationUs > most) return highest;
    highest = PERCENTILES[name];
  }
  return 1;
}

/** Returns the deviation of a percentile from theory in microseconds; null with too few requests. */
function deviationOf(
  { expected, found }: OpenCheck,
  name: (typeof CHECKED)[number],
): number | null {
  const [theory, measured] = [expected[name], found[name]];
  return theory === null || measured === null ? null : Math.abs(measured - theory);
}
