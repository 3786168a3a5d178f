import { isWhole } from "../analysis/slice_ratios.ts";
import { Failure, Interrupted, messageOf, UsageError } from "../model/errors.ts";
import { FAILED, FINE } from "../model/exit_codes.ts";
import type { Report } from "../model/report.ts";
import { profilePlaces } from "../view/profiles_text.ts";
import type { Io } from "./io.ts";
import type { RunOutcome } from "./measure.ts";

/**
 * Ends a run: says where the report lies.
 *
 * @param isQuiet whether nothing but the report is to be printed
 * @returns the exit code
 * @throws what ended the run early, with the report's place in its message, or why the report has none.
 */
export function finish(
  { report, path, unwritten, stopped }: RunOutcome,
  isQuiet: boolean,
  io: Io,
): number {
  const what = report.complete ? "The report" : "What was measured until then";
  const place = unwritten ??
    (path === null ? "Nothing was measured, so there is no report" : `${what} is in ${path}`);
  if (stopped !== null) throw stoppedAt(stopped, place);
  if (unwritten !== null) throw new Failure(unwritten);
  if (!isQuiet) io.say([place, ...profilePlaces(report)].join("\n"));
  return isFine(report) ? FINE : FAILED;
}

/** Whether everything was measured that was there to be measured. */
export function isFine({ results, servers, blocks }: Report): boolean {
  return blocks.every(isWhole) && servers.every(({ failure }) => failure === null) &&
    results.every(({ status, failedRounds }) => status === "ok" && failedRounds === 0);
}

/** An error of the same kind, which also says where the report is. */
function stoppedAt(error: unknown, place: string): Error {
  const message = `${messageOf(error)}\n${place}`;
  if (error instanceof Interrupted) return new Interrupted(message, { cause: error });
  if (error instanceof UsageError) return new UsageError(message, { cause: error });
  return new Failure(message, null, { cause: error });
}
