import type { Cell, Estimate, Measurement, TrialResult } from "../model.ts";
import { medianInterval } from "../stats/interval.ts";
import { median } from "../stats/median.ts";

/** The share of answers that may fail before a rate says nothing. */
const ERROR_LIMIT = 0.001;

/** Puts the windows of each server at each scenario together, in the order of their first trials. */
export function summarise(results: readonly TrialResult[]): Cell[] {
  const groups = Map.groupBy(results, ({ trial }) => `${trial.target}\0${trial.scenario}`);
  return [...groups.values()].map(cellOf);
}

function cellOf(results: readonly TrialResult[]): Cell {
  const { target, scenario } = (results[0] as TrialResult).trial;
  const windows = results.flatMap(({ measurement }) => measurement ?? []);
  const reason = invalidity(results);
  const failures = results.flatMap(({ failure }) => failure?.kind === "window" ? [failure] : []);
  const status = reason !== null ? "invalid" : windows.length === 0 ? "failed" : "ok";
  return {
    target,
    scenario,
    status,
    reason: reason ?? failures[0]?.message ?? null,
    rounds: windows.length,
    failedRounds: failures.length,
    requestsPerS: status === "ok" ? estimate(windows.map(requestsPerS)) : null,
    serverCpuUs: status === "ok" ? estimateKnown(results.map(serverCpuUs)) : null,
    p50Us: medianOf(windows, (window) => window.latency?.p50Us),
    p99Us: medianOf(windows, (window) => window.latency?.p99Us),
    answers: sum(windows, answersOf),
    errors: {
      transport: sum(windows, ({ transportErrors }) => transportErrors),
      timeout: sum(windows, ({ timeouts }) => timeouts),
      non2xx: sum(windows, (window) => answersOf(window) - successesOf(window)),
    },
  };
}

/** Answers with a 2xx status per second of the window. */
function requestsPerS(window: Measurement): number {
  return successesOf(window) / window.durationS;
}

/** The server's processor time for each answer of a window; null if it is not known. */
function serverCpuUs({ measurement, usage }: TrialResult): number | null {
  const server = usage?.server ?? null;
  if (measurement === null || server === null) return null;
  return (server.userUs + server.systemUs) / answersOf(measurement);
}

function estimateKnown(values: readonly (number | null)[]): Estimate | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : estimate(known);
}

function estimate(values: readonly number[]): Estimate {
  return {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    interval: medianInterval(values),
  };
}

/** Why nothing that these windows say may be printed, the first cause; null if it may. */
function invalidity(results: readonly TrialResult[]): string | null {
  for (const { failure, measurement } of results) {
    if (failure?.kind === "verification") return failure.message;
    const reason = measurement && windowInvalidity(measurement);
    if (reason !== null) return reason;
  }
  return null;
}

function windowInvalidity(window: Measurement): string | null {
  const { wrongAnswers, wrongAnswer, transportErrors, timeouts } = window;
  if (wrongAnswers > 0) return `${wrongAnswers} wrong answers under load, such as ${wrongAnswer}`;
  const errors = errorsOf(window);
  const all = answersOf(window) + transportErrors + timeouts;
  if (all === 0) return "no answer in a whole window";
  if (errors / all <= ERROR_LIMIT) return null;
  return `${(100 * errors / all).toFixed(1)} % of the requests failed: ${kinds(window)}`;
}

function kinds(window: Measurement): string {
  const statuses = Object.entries(window.statuses).filter(([status]) => !isSuccess(status))
    .map(([status, count]) => `${count} with status ${status}`);
  if (window.transportErrors > 0) statuses.push(`${window.transportErrors} transport errors`);
  if (window.timeouts > 0) statuses.push(`${window.timeouts} timeouts`);
  return statuses.join(", ");
}

function errorsOf(window: Measurement): number {
  return window.transportErrors + window.timeouts + answersOf(window) - successesOf(window);
}

function answersOf({ statuses }: Measurement): number {
  return Object.values(statuses).reduce((total, count) => total + count, 0);
}

function successesOf({ statuses }: Measurement): number {
  return Object.entries(statuses).reduce(
    (total, [status, count]) => isSuccess(status) ? total + count : total,
    0,
  );
}

function isSuccess(status: string): boolean {
  return status.length === 3 && status.startsWith("2");
}

function medianOf(
  windows: readonly Measurement[],
  value: (window: Measurement) => number | undefined,
): number | null {
  const values = windows.flatMap((window) => value(window) ?? []);
  return values.length === 0 ? null : median(values);
}

function sum(windows: readonly Measurement[], value: (window: Measurement) => number): number {
  return windows.reduce((total, window) => total + value(window), 0);
}
