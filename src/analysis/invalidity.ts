import type { Measurement, TrialResult, WindowRecord, WitnessRecord } from "../model/raw.ts";
import { answersOf, isSuccess, successesOf } from "./figures.ts";

/** The share of answers that may fail before a rate says nothing. */
const ERROR_LIMIT = 0.001;
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
): string | null {
  for (const { failure, window } of results) {
    if (failure?.kind === "verification") return failure.message;
    const reason = window && windowInvalidity(window);
    if (reason !== null) return reason;
  }
  return queries === null ? null : wrongStatements(results, queries);
}

/** Statements for each answer, over all loads with their warm-up; null where nobody counted them. */
export function statementsPerAnswer(windows: readonly WindowRecord[]): number | null {
  let [statements, answers] = [0, 0];
  for (const { database, measurement, witness } of windows) {
    if (database === null) return null;
    statements += database.statements.reduce((sum, { calls }) => sum + calls, 0);
    answers += measurement.allAnswers + witness.allAnswers;
  }
  return answers === 0 ? null : statements / answers;
}

function wrongStatements(results: readonly TrialResult[], queries: number): string | null {
  const windows = results.flatMap(({ window }) => window ?? []);
  const perAnswer = statementsPerAnswer(windows);
  if (perAnswer === null) return null;
  // Requests that are under way when a load ends may have their statement, but no answer.
  const underWay = results.reduce((sum, { trial }) => sum + trial.load.connections + 1, 0);
  const answers = windows.reduce((sum, { measurement }) => sum + measurement.allAnswers, 0);
  const most = queries + STATEMENT_TOLERANCE + underWay / answers;
  if (perAnswer >= queries - STATEMENT_TOLERANCE && perAnswer <= most) return null;
  return `the database executed ${perAnswer.toFixed(3)} statements for each answer, not ${queries}`;
}

function windowInvalidity({ measurement, witness }: WindowRecord): string | null {
  const { wrongAnswers, wrongAnswer, transportErrors } = measurement;
  const timeouts = measurement.timeouts ?? 0;
  if (wrongAnswers > 0) return `${wrongAnswers} wrong answers under load, such as ${wrongAnswer}`;
  if (witness.wrongAnswers > 0) {
    return `the witness met ${witness.wrongAnswers} wrong answers under load: ${witness.wrongAnswer}`;
  }
  const failed = errorsOf(measurement) + witness.errors;
  const all = answersOf(measurement) + transportErrors + timeouts + witness.answers +
    witness.errors;
  if (answersOf(measurement) + transportErrors + timeouts === 0) {
    return "no answer in a whole window";
  }
  if (failed / all <= ERROR_LIMIT) return null;
  return `${(100 * failed / all).toFixed(1)} % of the requests failed: ${
    kinds(measurement, witness)
  }`;
}

function kinds(measurement: Measurement, witness: WitnessRecord): string {
  const { statuses, transportErrors } = measurement;
  const timeouts = measurement.timeouts ?? 0;
  const parts = Object.entries(statuses).filter(([status]) => !isSuccess(status))
    .map(([status, count]) =>
      /xx$/.test(status) ? `${count} with another status` : `${count} with status ${status}`
    );
  if (transportErrors > 0) parts.push(`${transportErrors} transport errors`);
  if (timeouts > 0) parts.push(`${timeouts} timeouts`);
  if (witness.errors > 0) {
    parts.push(`${witness.errors} of the witness's, such as ${witness.error}`);
  }
  return parts.join(", ");
}

function errorsOf(measurement: Measurement): number {
  const { transportErrors, timeouts } = measurement;
  return transportErrors + (timeouts ?? 0) + answersOf(measurement) - successesOf(measurement);
}
