import { relative } from "node:path";
import { compareReports } from "../../analysis/compare_reports.ts";
import { UsageError } from "../../model/errors.ts";
import { toJson } from "../../model/text.ts";
import { lastTwoRuns } from "../../results/run_index.ts";
import { readReport } from "../../results/read_report.ts";
import { writeWhole } from "../../results/store.ts";
import { notesOfReports } from "../../view/changes_text.ts";
import { gateNotes } from "../../view/gate_text.ts";
import { exitCodeOf, gateOf, type GateOptions, noiseFor, readNoise, show } from "../gate.ts";
import type { Io } from "../io.ts";
import { compareMerged } from "../merged_comparison.ts";
import { claimOutputs } from "../outputs.ts";

/** Options of `compare`, as parsed. */
export interface CompareOptions extends GateOptions {
  readonly force?: boolean;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
}

/**
 * Runs `compare`: compares two reports, by default the last two runs in `results/`.
 *
 * @returns the exit code
 * @throws {UsageError} unless there are two reports that can be compared
 */
export async function compare(
  paths: readonly string[],
  options: CompareOptions,
  io: Io,
): Promise<number> {
  const gate = gateOf(options);
  if (![0, 2].includes(paths.length)) {
    throw new UsageError(
      "Cannot compare: give two reports, the base first, or none for the last two runs",
    );
  }
  const [basePath, headPath] = paths.length === 2
    ? paths.map((path) => io.path(path)) as [string, string]
    : await lastTwoRuns(io.folder);
  const base = await readReport(basePath);
  const head = await readReport(headPath);
  const { markdown, html, force = false, json: isQuiet = false } = options;
  const read = await Promise.all([basePath, headPath].map((path) => Deno.realPath(path)));
  if (base.kind === "distributed" || head.kind === "distributed") {
    return await compareMerged(base, head, read, options, io);
  }
  for (const [path, report] of [[basePath, base], [headPath, head]] as const) {
    if (report.experiment.search === null) continue;
    throw new UsageError(
      `Cannot compare capacities: print each one instead, with bench report ${path}`,
    );
  }
  const outputs = await claimOutputs(
    { ...(markdown !== undefined && { markdown }), ...(html !== undefined && { html }) },
    read,
    io,
  );
  const floor = await readNoise(options.noise, io) ?? await noiseFor(head, io);
  const changes = compareReports(base, head, { ...floor, force });
  const notes = notesOfReports(base, head);
  const [baseName = "", headName = ""] = [basePath, headPath]
    .map((path) => relative(io.folder, path));
  const title = `${baseName} and ${headName}`;
  if (paths.length === 0 && !isQuiet) io.out(`Comparing ${title}`);
  await show(changes, gate, outputs, { title, notes, isQuiet }, io);
  const page = outputs.get("html");
  if (page !== undefined) {
    // Loaded here, because only charts need their library
    const { comparePage } = await import("../../view/html/compare_page.ts");
    const text = await comparePage(
      { name: baseName, report: base },
      { name: headName, report: head },
      changes,
      { gate: gateNotes(changes, gate), notes },
    );
    await writeWhole(page, text);
    if (!isQuiet) io.out(`The page is in ${page}`);
  }
  if (isQuiet) io.out(toJson(changes));
  return exitCodeOf(changes, gate);
}
