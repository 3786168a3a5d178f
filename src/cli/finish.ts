import { Failure, messageOf } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import type { Outcome } from "../engine/run.ts";
import { say } from "./print.ts";

/**
 * Ends a run: prints what there is and says where the report lies.
 *
 * @param isQuiet whether nothing but the report is to be printed
 * @returns the exit code
 * @throws what ended the run early, with the report's place in its message.
 */
export function conclude(
  { report, path, stopped }: Outcome,
  isQuiet: boolean,
  print: (report: Report) => void,
): number {
  if (report === null) throw stopped;
  print(report);
  const what = report.complete ? "The report" : "What was measured until then";
  if (stopped !== null) throw endedBy(stopped, `${what} is in ${path}`);
  if (!isQuiet) say(`${what} is in ${path}`);
  return isFine(report) ? 0 : 1;
}

/** Whether everything was measured that was there to be measured. */
export function isFine({ cells, servers }: Report): boolean {
  return servers.every(({ failure }) => failure === null) &&
    cells.every(({ status, failedRounds }) => status === "ok" && failedRounds === 0);
}

/** The same kind of error, which also says where the report is. */
function endedBy(error: unknown, written: string): unknown {
  if (error instanceof Error) {
    error.message = `${messageOf(error)}\n${written}`;
    return error;
  }
  return new Failure(`${messageOf(error)}\n${written}`);
}
