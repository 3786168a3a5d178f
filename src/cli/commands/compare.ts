import { compareReports } from "../../analysis/changes.ts";
import { UsageError } from "../../model/errors.ts";
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
 * `compare`: two reports, server by server and scenario by scenario.
 *
 * @throws {UsageError} unless there are two files that are reports.
 */
export async function compare(
  paths: readonly string[],
  options: CompareOptions,
  io: Io,
): Promise<number> {
  assertGate(options);
  const [basePath, headPath] = paths.map((path) => io.path(path));
  if (basePath === undefined || headPath === undefined || paths.length > 2) {
    throw new UsageError("Cannot compare: give two reports, the base first");
  }
  const base = await readReport(basePath);
  const head = await readReport(headPath);
  const { markdown, force = false, json: isQuiet = false } = options;
  const read = await Promise.all([basePath, headPath].map((path) => Deno.realPath(path)));
  const outputs = await claimOutputs(markdown === undefined ? {} : { markdown }, read, io);
  const changes = compareReports(base, head, { ...await noiseFor(head, options, io), force });
  const notes = notesOfReports(base, head);
  await show(changes, options, outputs, { title: paths.join(" and "), notes, isQuiet }, io);
  if (isQuiet) io.out(JSON.stringify(changes));
  return exitCodeOf(changes, options);
}
