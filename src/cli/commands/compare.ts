import { relative } from "node:path";
import { compareReports } from "../../analysis/changes.ts";
import { UsageError } from "../../model/errors.ts";
import { lastTwoRuns } from "../../results/history.ts";
import { readReport } from "../../results/read.ts";
import { notesOfReports } from "../../view/changes.ts";
import { assertGate, exitCodeOf, type GateOptions, noiseFor, show } from "../gate.ts";
import type { Io } from "../io.ts";
import { claimOutputs } from "../outputs.ts";

/** Options of `compare`, as the table of options yields them. */
export interface CompareOptions extends GateOptions {
  readonly force?: boolean;
  readonly json?: boolean;
  readonly markdown?: string;
}

/**
 * `compare`: two reports, server by server and scenario by scenario; without files, the last two runs in
 * results/.
 *
 * @throws {UsageError} unless there are two files that are reports.
 */
export async function compare(
  paths: readonly string[],
  options: CompareOptions,
  io: Io,
): Promise<number> {
  assertGate(options);
  if (![0, 2].includes(paths.length)) {
    throw new UsageError("Cannot compare: give two reports, the base first, or none");
  }
  const [basePath, headPath] = paths.length === 2
    ? paths.map((path) => io.path(path)) as [string, string]
    : await lastTwoRuns(io.folder);
  const base = await readReport(basePath);
  const head = await readReport(headPath);
  const { markdown, force = false, json: isQuiet = false } = options;
  const read = await Promise.all([basePath, headPath].map((path) => Deno.realPath(path)));
  const outputs = await claimOutputs(markdown === undefined ? {} : { markdown }, read, io);
  const changes = compareReports(base, head, { ...await noiseFor(head, options, io), force });
  const notes = notesOfReports(base, head);
  const title = [basePath, headPath].map((path) => relative(io.folder, path)).join(" and ");
  if (paths.length === 0 && !isQuiet) io.out(`Comparing ${title}`);
  await show(changes, options, outputs, { title, notes, isQuiet }, io);
  if (isQuiet) io.out(JSON.stringify(changes));
  return exitCodeOf(changes, options);
}
