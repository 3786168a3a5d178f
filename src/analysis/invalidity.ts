/** Finds invalid results: wrong responses, failed requests, or too little database work. */
import type { Reason } from "../model/derived.ts";
import { isSuccess, responsesOf, successesOf } from "../model/figures.ts";
import type {
  DatabaseActivity,
  Measurement,
  ProbeRecord,
  TrialResult,
  WindowRecord,
} from "../model/raw.ts";
import type { Scenario } from "../model/scenario.ts";
import { sum } from "../stats/median.ts";

const MAX_FAILED_SHARE = 0.001;
/** Maximum difference between counted and expected database statements per response, as a share. */
const STATEMENT_TOLERANCE = 0.02;
/**
 * Minimum share of expected writes. A server changes a row that a request picks twice only once. Of a
 * pending request at the end, only the response or only the write may be counted.
 */
const LEAST_WRITTEN = 0.95;

/** Database work of the responses of a scenario. */
export type DatabaseNeed =
  & Pick<Scenario, "queries" | "moreQueries" | "writes" | "mix">
  & Partial<Pick<Scenario, "pipelined" | "protocol">>;

/** Returns why a result is invalid, or null. One bad window is enough: a median would hide it. */
export function invalidity(
  trialResults: readonly TrialResult[],
  need: DatabaseNeed | null,
): Reason | null {
  for (const { failure, window } of trialResults) {
    if (failure?.kind === "verification") return { kind: "message", text: failure.message };
    const reason = window && windowInvalidity(window);
    if (reason !== null) return reason;
  }
  return need && (wrongStatements(trialResults, need) ?? tooFewWrites(trialResults, need));
}

function windowInvalidity({ measurement, probe }: WindowRecord): Reason | null {
  const { wrongResponses, wrongResponse, transportErrors, timeouts, open } = measurement;
  if (wrongResponses > 0) {
    return { kind: "wrong-responses", count: wrongResponses, example: wrongResponse };
  }
  if (probe.wrongResponses > 0) {
    return { kind: "probe-wrong", count: probe.wrongResponses, example: probe.wrongResponse };
  }
  if (responsesOf(measurement) + transportErrors + (timeouts ?? 0) === 0) {
    return { kind: "no-response" };
  }
  // In an open loop, refused requests are a result of the measurement.
  if (open !== null && successesOf(measurement) > 0) return null;
  return tooManyFailed(measurement, probe);
}

/** Returns why too large a share of requests failed; null if it is small enough. */
export function tooManyFailed(
  measurement: Pick<Measurement, "statuses" | "transportErrors" | "timeouts">,
  probe: Pick<ProbeRecord, "responses" | "errors" | "error"> | null = null,
): Reason | null {
  const { statuses, transportErrors } = measurement;
  const { responses: probed = 0, errors: probeErrors = 0, error: probeError = null } = probe ?? {};
  const timeouts = measurement.timeouts ?? 0;
  const responses = responsesOf(measurement);
  const failed = transportErrors + timeouts + responses - successesOf(measurement) + probeErrors;
  const share = failed / (responses + transportErrors + timeouts + probed + probeErrors);
  if (share <= MAX_FAILED_SHARE) return null;
  const others = Object.entries(statuses).filter(([status]) => !isSuccess(status));
  return {
    kind: "requests-failed",
    share,
    statuses: Object.fromEntries(others),
    transportErrors,
    timeouts,
    probeErrors,
    probeError,
  };
}

/** Returns database statements per response, with warm-ups; null if they were not counted. */
export function statementsPerResponse(
  windows: readonly WindowRecord[],
  { mix }: Pick<DatabaseNeed, "mix"> = {},
): number | null {
  return perResponseOf(windows, ({ calls }) => calls, mix?.[0]?.scenario.queries ?? null);
}

/** Returns database work per response. `ofProbe`: that of the probe, which sends one kind of a mix. */
function perResponseOf(
  windows: readonly WindowRecord[],
  countOf: (statement: DatabaseActivity["statements"][number]) => number,
  ofProbe: number | null,
): number | null {
  let [total, responses] = [0, 0];
  for (const { database, measurement, probe } of windows) {
    if (database === null) return null;
    total += sum(database.statements.map(countOf));
    if (ofProbe === null) responses += probe.allResponses;
    else total -= ofProbe * probe.allResponses;
    responses += measurement.allResponses;
  }
  return responses === 0 ? null : total / responses;
}

function wrongStatements(trialResults: readonly TrialResult[], need: DatabaseNeed): Reason | null {
  const { queries: expected, moreQueries } = need;
  const windows = trialResults.flatMap(({ window }) => window ?? []);
  const perResponse = statementsPerResponse(windows, need);
  if (perResponse === null) return null;
  const tolerance = STATEMENT_TOLERANCE * Math.max(1, expected);
  // Requests that are pending when a load ends may have their statements, but no response.
  const underWay = sum(trialResults.map(({ trial }) => trial.load.connections + 1));
  const responses = sum(windows.map(({ measurement }) => measurement.allResponses));
  const all = expected + moreQueries;
  const most = all + tolerance + Math.max(1, all) * underWay / responses;
  if (perResponse >= expected - tolerance && perResponse <= most) return null;
  return { kind: "wrong-statements", perResponse, expected };
}

function tooFewWrites(
  trialResults: readonly TrialResult[],
  { writes: expected, mix }: DatabaseNeed,
): Reason | null {
  const windows = trialResults.flatMap(({ window }) => window ?? []);
  const ofProbe = mix?.[0]?.scenario.writes ?? null;
  const perResponse = perResponseOf(windows, ({ changed }) => changed ?? 0, ofProbe);
  if (perResponse === null || perResponse >= LEAST_WRITTEN * expected) return null;
  return { kind: "too-few-writes", perResponse, expected };
}
