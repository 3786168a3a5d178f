import { relative } from "node:path";
import { compareReports } from "../../analysis/compare_reports.ts";
import { changesOfMerged } from "../../distributed/distributed_report.ts";
import type { MergedChange } from "../../model/distributed.ts";
import { FINE, UNDECIDED, UsageError } from "../../model/errors.ts";
import type { AnyReport } from "../../model/report.ts";
import { toJson } from "../../model/text.ts";
import { readReport } from "../../results/read_report.ts";
import { lastTwoRuns } from "../../results/run_index.ts";
import { writeWhole } from "../../results/store.ts";
import { notesOfReports } from "../../view/changes_text.ts";
import { gateNotes } from "../../view/changes_verdict.ts";
import { draw } from "../../view/draw.ts";
import { markdownTable } from "../../view/markdown.ts";
import { MERGED_NOTES, mergedChangesTable } from "../../view/tables/changes_table.ts";
import { exitCodeOf, gateOf, type GateOptions, noiseFor, readNoise, show } from "../gate.ts";
import type { Io } from "../io.ts";
import { claimOutputs } from "../outputs.ts";

/**
 * Compares two reports of `bench import`, which merges runners (k6 on several machines), and prints
 * the changes.
 *
 * Each report is a single run, so no change is proven. --fail-on therefore never fails. --fail-on with
 * --strict, which demands a proof, never passes.
 *
 * @param read real paths of the reports' files, which must not be overwritten
 * @returns the exit code
 * @throws {UsageError} if only one report is of merged runners, the loads differ, or --html is given
 */
async function compareMerged(
  base: AnyReport,
  head: AnyReport,
  read: readonly string[],
  options: CompareOptions,
  io: Io,
): Promise<number> {
  const { json = false, strict = false, force = false, failOn, markdown, html } = options;
  if (html !== undefined) {
    throw new UsageError(
      "Cannot write merged runners as HTML: use --markdown or --json instead of --html",
    );
  }
  const outputs = await claimOutputs(markdown === undefined ? {} : { markdown }, read, io);
  const changes = changesOf(base, head, force);
  const table = mergedChangesTable(changes);
  const path = outputs.get("markdown");
  if (path !== undefined) {
    await writeWhole(path, `${markdownTable(table)}\n\n${MERGED_NOTES.join("\n")}\n`);
  }
  if (json) io.out(toJson(changes));
  else for (const line of [...draw(table, io.screen), ...MERGED_NOTES]) io.out(line);
  return failOn !== undefined && strict ? UNDECIDED : FINE;
}

function changesOf(base: AnyReport, head: AnyReport, force: boolean): MergedChange[] {
  if (base.kind === "run" || head.kind === "run") {
    throw new UsageError(
      "Cannot compare a report of merged runners with a report of one machine: their methods differ",
    );
  }
  if (!force && base.test !== head.test) {
    throw new UsageError(
      "Cannot compare: the scripts of the two loads differ; --force compares the figures that both have",
    );
  }
  const changes = changesOfMerged(base, head);
  if (changes.length > 0) return changes;
  throw new UsageError("Cannot compare: the two reports have no scenario with figures in common");
}

/** Options of `compare`, as parsed. */
interface CompareOptions extends GateOptions {
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
    const { comparePage } = await import("../../view/html/page.ts");
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
