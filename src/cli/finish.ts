import { isWhole } from "../analysis/slice_ratios.ts";
import { Failure, Interrupted, messageOf, UsageError } from "../model/errors.ts";
import { FAILED, FINE } from "../model/exit_codes.ts";
import type { Report } from "../model/report.ts";
import { profilePlaces } from "../view/profiles_text.ts";
import type { Io } from "./io.ts";
import type { RunOutcome } from "./measure.ts";

/**
 * Ends a run: prints the path of its report.
 *
 * @param isQuiet whether the command prints only the report as JSON, so that the path is not printed
 * @returns the exit code
 * @throws the error that ended the run early, with the report's path added; or the error of writing
 *   the report
 */
export function finish(
  { report, path, unwritten, stopped }: RunOutcome,
  isQuiet: boolean,
  io: Io,
): number {
  const what = report.complete ? "The report" : "The partial report";
  const place = unwritten ??
    (path === null ? "Nothing was measured, so there is no report" : `${what} is in ${path}`);
  if (stopped !== null) throw stoppedAt(stopped, place);
  if (unwritten !== null) throw new Failure(unwritten);
  if (!isQuiet) io.say([place, ...profilePlaces(report)].join("\n"));
  return isFine(report) ? FINE : FAILED;
}

/** Returns whether every server, round and slice of a run succeeded. */
export function isFine({ results, servers, blocks }: Report): boolean {
  return blocks.every(isWhole) && servers.every(({ failure }) => failure === null) &&
    results.every(({ status, failedRounds }) => status === "ok" && failedRounds === 0);
}

/**
 * Returns an error of the same class with a further line in its message.
 *
 * @param place says where the report is, or why there is none
 */
function stoppedAt(error: unknown, place: string): Error {
  const message = `${messageOf(error)}\n${place}`;
  if (error instanceof Interrupted) return new Interrupted(message, { cause: error });
  if (error instanceof UsageError) return new UsageError(message, { cause: error });
  return new Failure(message, null, { cause: error });
}
