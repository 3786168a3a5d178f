import type { Reason } from "../model/derived.ts";
import type { DatabaseActivity, Measurement, TrialResult, WindowRecord } from "../model/raw.ts";
import type { Scenario } from "../model/scenario.ts";
import { isSuccess, responsesOf, successesOf } from "./figures.ts";

/** The share of responses that may fail before a rate says nothing. */
export const MAX_FAILED_SHARE = 0.001;
/** By how much the database's calls for each response may differ from the scenario's. */
const STATEMENT_TOLERANCE = 0.02;
/** Rows that are drawn twice are changed once, and what is under way at the end counts for one of both only. */
const LEAST_WRITTEN = 0.95;

/** What a scenario's responses take of the database. */
export type DatabaseNeed =
  & Pick<Scenario, "queries" | "moreQueries" | "writes" | "mix">
  & Partial<Pick<Scenario, "pipelined">>;

/**
 * Why nothing that these windows say may be printed, the first cause; null if it may. One bad window
 * is enough: a median would hide it.
 *
 * @param need what one response takes of the database; null if that is not known.
 */
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

/** Statements for each response, over all loads with their warm-up; null where they were not counted. */
export function statementsPerResponse(
  windows: readonly WindowRecord[],
  { mix }: Pick<DatabaseNeed, "mix"> = {},
): number | null {
  return perResponseOf(windows, ({ calls }) => calls, mix?.[0]?.scenario.queries ?? null);
}

/** @param ofProbe what a response to the probe takes, where it asks for one kind of a mix; null: as much as any */
function perResponseOf(
  windows: readonly WindowRecord[],
  countOf: (statement: DatabaseActivity["statements"][number]) => number,
  ofProbe: number | null,
): number | null {
  let [total, responses] = [0, 0];
  for (const { database, measurement, probe } of windows) {
    if (database === null) return null;
    total += database.statements.reduce((sum, statement) => sum + countOf(statement), 0);
    if (ofProbe === null) responses += probe.allResponses;
    else total -= ofProbe * probe.allResponses;
    responses += measurement.allResponses;
  }
  return responses === 0 ? null : total / responses;
}

function wrongStatements(
  trialResults: readonly TrialResult[],
  need: DatabaseNeed,
): Reason | null {
  const { queries: expected, moreQueries } = need;
  const windows = trialResults.flatMap(({ window }) => window ?? []);
  const perResponse = statementsPerResponse(windows, need);
  if (perResponse === null) return null;
  const tolerance = STATEMENT_TOLERANCE * Math.max(1, expected);
  // Requests that are under way when a load ends may have their statements, but no response.
  const underWay = trialResults.reduce((sum, { trial }) => sum + trial.load.connections + 1, 0);
  const responses = windows.reduce((sum, { measurement }) => sum + measurement.allResponses, 0);
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
  const perResponse = perResponseOf(
    windows,
    ({ changed }) => changed ?? 0,
    mix?.[0]?.scenario.writes ?? null,
  );
  if (perResponse === null || perResponse >= LEAST_WRITTEN * expected) return null;
  return { kind: "too-few-writes", perResponse, expected };
}

function windowInvalidity({ measurement, probe }: WindowRecord): Reason | null {
  const { wrongResponses, wrongResponse, transportErrors, open } = measurement;
  const timeouts = measurement.timeouts ?? 0;
  if (wrongResponses > 0) {
    return { kind: "wrong-responses", count: wrongResponses, example: wrongResponse };
  }
  if (probe.wrongResponses > 0) {
    return { kind: "probe-wrong", count: probe.wrongResponses, example: probe.wrongResponse };
  }
  const failed = errorsOf(measurement) + probe.errors;
  const ofGenerator = responsesOf(measurement) + transportErrors + timeouts;
  if (ofGenerator === 0) return { kind: "no-response" };
  const share = failed / (ofGenerator + probe.responses + probe.errors);
  // What a server refuses at a rate that is not its own is what is to be found out
  const isAnswered = open !== null && successesOf(measurement) > 0;
  if (share <= MAX_FAILED_SHARE || isAnswered) return null;
  return {
    kind: "requests-failed",
    share,
    statuses: Object.fromEntries(
      Object.entries(measurement.statuses).filter(([status]) => !isSuccess(status)),
    ),
    transportErrors,
    timeouts,
    probeErrors: probe.errors,
    probeError: probe.error,
  };
}

function errorsOf(measurement: Measurement): number {
  const { transportErrors, timeouts } = measurement;
  return transportErrors + (timeouts ?? 0) + responsesOf(measurement) - successesOf(measurement);
}
