import type { Reason } from "../model/derived.ts";
import type { Measurement, TrialResult, WindowRecord } from "../model/raw.ts";
import { answersOf, isSuccess, successesOf } from "./figures.ts";

/** The share of answers that may fail before a rate says nothing. */
export const MAX_FAILED_SHARE = 0.001;
/** By how much the database's calls for each answer may differ from the scenario's. */
const STATEMENT_TOLERANCE = 0.02;

/**
 * Why nothing that these windows say may be printed, the first cause; null if it may. One bad window
 * is enough: a median would hide it.
 *
 * @param queries statements that one answer takes of the database; null if that is not known.
 */
export function invalidity(
  results: readonly TrialResult[],
  queries: number | null,
): Reason | null {
  for (const { failure, window } of results) {
    if (failure?.kind === "verification") return { kind: "told", text: failure.message };
    const reason = window && windowInvalidity(window);
    if (reason !== null) return reason;
  }
  return queries === null ? null : wrongStatements(results, queries);
}

/** Statements for each answer, over all loads with their warm-up; null where they were not counted. */
export function statementsPerAnswer(windows: readonly WindowRecord[]): number | null {
  let [statements, answers] = [0, 0];
  for (const { database, measurement, witness } of windows) {
    if (database === null) return null;
    statements += database.statements.reduce((sum, { calls }) => sum + calls, 0);
    answers += measurement.allAnswers + witness.allAnswers;
  }
  return answers === 0 ? null : statements / answers;
}

function wrongStatements(results: readonly TrialResult[], expected: number): Reason | null {
  const windows = results.flatMap(({ window }) => window ?? []);
  const perAnswer = statementsPerAnswer(windows);
  if (perAnswer === null) return null;
  // Requests that are under way when a load ends may have their statement, but no answer.
  const underWay = results.reduce((sum, { trial }) => sum + trial.load.connections + 1, 0);
  const answers = windows.reduce((sum, { measurement }) => sum + measurement.allAnswers, 0);
  const most = expected + STATEMENT_TOLERANCE + underWay / answers;
  if (perAnswer >= expected - STATEMENT_TOLERANCE && perAnswer <= most) return null;
  return { kind: "wrong-statements", perAnswer, expected };
}

function windowInvalidity({ measurement, witness }: WindowRecord): Reason | null {
  const { wrongAnswers, wrongAnswer, transportErrors, open } = measurement;
  const timeouts = measurement.timeouts ?? 0;
  if (wrongAnswers > 0) return { kind: "wrong-answers", count: wrongAnswers, example: wrongAnswer };
  if (witness.wrongAnswers > 0) {
    return { kind: "witness-wrong", count: witness.wrongAnswers, example: witness.wrongAnswer };
  }
  const failed = errorsOf(measurement) + witness.errors;
  const ofGenerator = answersOf(measurement) + transportErrors + timeouts;
  if (ofGenerator === 0) return { kind: "no-answer" };
  const share = failed / (ofGenerator + witness.answers + witness.errors);
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
    witnessErrors: witness.errors,
    witnessError: witness.error,
  };
}

function errorsOf(measurement: Measurement): number {
  const { transportErrors, timeouts } = measurement;
  return transportErrors + (timeouts ?? 0) + answersOf(measurement) - successesOf(measurement);
}
