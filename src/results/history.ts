import { basename, dirname, join, resolve } from "node:path";
import { messageOf, UsageError } from "../model/errors.ts";
import type { Commit, Report } from "../model/report.ts";
import { rate, UNKNOWN } from "../view/format.ts";
import { readReport } from "./read.ts";
import { RESULTS } from "./store.ts";
import type { Table } from "../view/table.ts";

/** One run in the index of `results/`. */
export interface IndexEntry {
  /** Its file's name in that folder. */
  readonly file: string;
  readonly createdAt: string;
  readonly commit: Commit | null;
  readonly command: readonly string[];
  readonly complete: boolean;
  readonly cells: readonly IndexedCell[];
}

/** What is remembered of a cell. */
export interface IndexedCell {
  readonly target: string;
  readonly scenario: string;
  readonly connections: number;
  readonly requestsPerS: number | null;
  readonly isLowerBound: boolean;
}

/** A line of JSON for each run, the oldest first; it can be made anew from the reports. */
const INDEX = "index.jsonl";

/** Adds a run to the index, if its report lies in `results/` and that can be written to. */
export async function addToIndex(path: string, report: Report): Promise<void> {
  if (resolve(dirname(path)) !== resolve(RESULTS)) return;
  const line = `${JSON.stringify(entryOf(basename(path), report))}\n`;
  // Without it the report is read again when somebody asks
  await Deno.writeTextFile(join(RESULTS, INDEX), line, { append: true }).catch(() => {});
}

/**
 * The runs whose reports are in `results/`, the oldest first. Reports that the index does not know are
 * added to it, such as those of an interrupted run, and those that are gone are left out.
 *
 * @param onProblem hears of a file that is no report
 */
export async function readHistory(onProblem: (message: string) => void): Promise<IndexEntry[]> {
  const names = new Set(
    (await Array.fromAsync(Deno.readDir(RESULTS)).catch(() => []))
      .map(({ name }) => name).filter((name) => name.endsWith(".json")),
  );
  const text = await Deno.readTextFile(join(RESULTS, INDEX)).catch(() => "");
  const indexed = new Map(
    text.split("\n").flatMap((line) => entryIn(line) ?? []).map((entry) => [entry.file, entry]),
  );
  const entries = [...indexed.values()].filter(({ file }) => names.has(file));
  for (const file of [...names].filter((name) => !indexed.has(name)).sort()) {
    try {
      const path = join(RESULTS, file);
      const report = await readReport(path);
      await addToIndex(path, report);
      entries.push(entryOf(file, report));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      onProblem(messageOf(error));
    }
  }
  return entries.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/**
 * The newest report in `results/`.
 *
 * @throws {UsageError} if there is none.
 */
export async function newestReport(): Promise<string> {
  const last = (await readHistory(() => {})).at(-1);
  if (last === undefined) {
    throw new UsageError(`There is no report in ${RESULTS}/: name a file, or run bench first`);
  }
  return join(RESULTS, last.file);
}

/** The newest report of `bench noise` in `results/` that is wanted; null if there is none. */
export async function newestNoise(
  isWanted: (report: Report) => boolean,
): Promise<{ readonly report: Report; readonly path: string } | null> {
  const runs = (await readHistory(() => {})).filter(({ command }) => command[3] === "noise");
  for (const { file } of runs.reverse()) {
    const path = join(RESULTS, file);
    const report = await readReport(path);
    if (report.noise.length > 0 && isWanted(report)) return { report, path };
  }
  return null;
}

/** A row for each run and server, with what it reached at every scenario. */
export function historyTable(entries: readonly IndexEntry[]): Table {
  const cells = entries.flatMap((entry) => entry.cells);
  const tasks = [...new Set(cells.map(({ scenario }) => scenario))];
  const names = ["When", "Commit", "Report", "Server"];
  return {
    columns: [
      ...names.map((heading) => ({
        heading,
        isNumber: false,
        dropOrder: heading === "Report" ? 1 : 0,
      })),
      ...tasks.map((heading, i) => ({ heading, isNumber: true, dropOrder: 2 + i })),
    ],
    rows: entries.flatMap(({ file, createdAt, commit, complete, cells }) =>
      [...Map.groupBy(cells, ({ target }) => target)].map(([server, own]) => ({
        server,
        cells: [
          createdAt.slice(0, 16).replace("T", " "),
          commit === null ? UNKNOWN : commit.id.slice(0, 7) + (commit.isDirty ? "+" : ""),
          `${file}${complete ? "" : " (interrupted)"}`,
          server,
          ...tasks.map((task) => reached(own.filter(({ scenario }) => scenario === task))),
        ],
      }))
    ),
  };
}

/** Of a sweep, the most. */
function reached(cells: readonly IndexedCell[]): string {
  const best = cells.toSorted((a, b) => (b.requestsPerS ?? -1) - (a.requestsPerS ?? -1))[0];
  if (best === undefined || best.requestsPerS === null) return UNKNOWN;
  return `${best.isLowerBound ? "≥ " : ""}${rate(best.requestsPerS)}`;
}

function entryOf(file: string, report: Report): IndexEntry {
  const { createdAt, commit, command, complete, cells } = report;
  return {
    file,
    createdAt,
    commit,
    command,
    complete,
    cells: cells.map(({ target, scenario, connections, requestsPerS, isLowerBound }) => ({
      target,
      scenario,
      connections,
      isLowerBound,
      requestsPerS: requestsPerS?.median ?? null,
    })),
  };
}

/** A line of the index; null if somebody else wrote it, or only half of it. */
function entryIn(line: string): IndexEntry | null {
  try {
    const entry = JSON.parse(line);
    return typeof entry.file === "string" && Array.isArray(entry.cells) ? entry : null;
  } catch {
    return null;
  }
}
