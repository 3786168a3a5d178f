import { basename, dirname, join, resolve } from "node:path";
import { entryOf, isOfServers } from "../analysis/index_entry.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import type { IndexEntry } from "../model/history.ts";
import { FORMAT, type Report } from "../model/report.ts";
import { readReport } from "./read_report.ts";
import { RESULTS } from "./store.ts";
import { isUnderWay } from "./under_way.ts";

/** A line of JSON for each run, the oldest first; it can be made anew from the reports. */
export const INDEX = "index.jsonl";

/**
 * Adds a run to the index, if its report lies in `results/` and that can be written to.
 *
 * @param folder the one that holds `results/`
 */
export async function addToIndex(folder: string, path: string, report: Report): Promise<void> {
  const results = join(folder, RESULTS);
  if (resolve(dirname(path)) !== resolve(results)) return;
  const line = `${JSON.stringify({ format: FORMAT, ...entryOf(basename(path), report) })}\n`;
  // Without it the report is read again when it is needed
  await Deno.writeTextFile(join(results, INDEX), line, { append: true }).catch(() => {});
}

/**
 * The runs whose reports are in `results/`, the oldest first. Reports that the index does not know are
 * added to it, such as those of an interrupted run, and those that are gone are left out.
 *
 * @param folder the one that holds `results/`
 * @param onProblem hears of a file that is no report
 */
export async function readHistory(
  folder: string,
  onProblem: (message: string) => void = () => {},
): Promise<IndexEntry[]> {
  const results = join(folder, RESULTS);
  const names = new Set(
    (await Array.fromAsync(Deno.readDir(results)).catch(() => []))
      .map(({ name }) => name).filter((name) => name.endsWith(".json")),
  );
  const indexed = new Map(
    (await indexText(results)).split("\n").flatMap((line) => entryIn(line) ?? []).map((
      entry,
    ) => [entry.file, entry]),
  );
  const entries = [...indexed.values()].filter(({ file }) => names.has(file));
  for (const file of [...names].filter((name) => !indexed.has(name)).sort()) {
    try {
      const path = join(results, file);
      const [goesOn, report] = [await isUnderWay(path), await readReport(path)];
      if (!goesOn) await addToIndex(folder, path, report);
      entries.push({ ...entryOf(file, report), ...(goesOn && { isUnderWay: true }) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      onProblem(messageOf(error));
    }
  }
  return entries.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** Reads the index. An unreadable index counts as empty, because it can be rebuilt from the reports. */
async function indexText(results: string): Promise<string> {
  try {
    return await readInputFile(join(results, INDEX), "index");
  } catch {
    return "";
  }
}

/** Whether a run measured anything: one that failed from the start is no result. */
export function hasFigures({ kind, results }: IndexEntry): boolean {
  // What is measured in slices alone has no results
  return kind === "versus" ||
    results.some(({ requestsPerS, relativeCpu }) => requestsPerS !== null || relativeCpu !== null);
}

/**
 * The path of the newest report in `results/`: of those with figures that are no longer under way, if
 * there is one.
 *
 * @param folder the one that holds `results/`
 * @throws {UsageError} if there is none.
 */
export async function newestReport(folder: string): Promise<string> {
  const all = await readHistory(folder);
  const known = all.filter(hasFigures);
  const last = known.findLast((entry) => !entry.isUnderWay) ?? known.at(-1) ?? all.at(-1);
  if (last === undefined) {
    throw new UsageError(`There is no report in ${RESULTS}/: name a file, or run bench first`);
  }
  return join(folder, RESULTS, last.file);
}

/**
 * The paths of the last two whole runs in `results/` that have figures, the older one first.
 *
 * @param folder the one that holds `results/`
 * @throws {UsageError} if there are not two.
 */
export async function lastTwoRuns(folder: string): Promise<[base: string, head: string]> {
  const runs = (await readHistory(folder)).filter((entry) =>
    isOfServers(entry) && entry.complete && hasFigures(entry)
  );
  const [base, head] = runs.slice(-2);
  if (base === undefined || head === undefined) {
    throw new UsageError(
      `There are no two runs in ${RESULTS}/ to compare: give two reports, the base first`,
    );
  }
  return [join(folder, RESULTS, base.file), join(folder, RESULTS, head.file)];
}

/**
 * The newest report of `bench noise` in `results/` that is wanted; null if there is none.
 *
 * @param folder the one that holds `results/`
 * @returns the report, and its path from that folder
 */
export async function newestNoise(
  folder: string,
  isWanted: (report: Report) => boolean,
): Promise<{ readonly report: Report; readonly path: string } | null> {
  const runs = (await readHistory(folder)).filter(({ kind }) => kind === "noise");
  for (const { file } of runs.reverse()) {
    const path = join(RESULTS, file);
    const report = await readReport(join(folder, path));
    if (report.noise.length > 0 && isWanted(report)) return { report, path };
  }
  return null;
}

/** Reads a line of the index; null if it is not whole, or of another format than {@linkcode FORMAT}. */
function entryIn(line: string): IndexEntry | null {
  try {
    const { format, ...entry } = JSON.parse(line);
    return format === FORMAT && typeof entry.file === "string" && typeof entry.kind === "string" &&
        typeof entry.createdAt === "string" && Array.isArray(entry.results)
      ? entry
      : null;
  } catch {
    return null;
  }
}
