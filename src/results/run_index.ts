/** Reads `results/`: its reports, and the index with a line of JSON for each run. */
import { basename, dirname, join, resolve } from "node:path";
import { entryOf, isOfServers } from "../analysis/histories.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { type AnyReport, FORMAT, type IndexEntry, type Report } from "../model/report.ts";
import { readReport } from "./read_report.ts";
import { fileOfMark, isUnderWay, type Place } from "./store.ts";

/** Name of the index file. Its runs are in order, and it can be rebuilt from the reports. */
const INDEX = "index.jsonl";
/** Matches the names of reports. An unfinished bisection is in the same folder, and is no report. */
const REPORT = /^(?!bisect-[0-9a-f]+\.json$).*\.json$/;

function pathIn({ folder, results }: Place, file = ""): string {
  return join(resolve(folder, results), file);
}

/** Adds a run to the index if its report is in the folder of reports. */
export async function addToIndex(place: Place, path: string, report: AnyReport): Promise<void> {
  const results = pathIn(place);
  if (resolve(dirname(path)) !== resolve(results)) return;
  const line = `${JSON.stringify({ format: FORMAT, ...entryOf(basename(path), report) })}\n`;
  // Without the entry, the report is read again when it is needed
  await Deno.writeTextFile(join(results, INDEX), line, { append: true }).catch(() => {});
}

/**
 * Returns the runs, the oldest first. A report that the index lacks, such as that of an
 * interrupted run, is read and added; `onProblem` is called for a file that is not a report.
 */
export async function readHistory(
  place: Place,
  onProblem: (message: string) => void = () => {},
): Promise<IndexEntry[]> {
  const results = pathIn(place);
  const there = await Array.fromAsync(Deno.readDir(results)).catch(() => []);
  const names = new Set(there.map(({ name }) => name).filter((name) => REPORT.test(name)));
  // An unreadable index counts as empty
  const index = await readInputFile(join(results, INDEX), "index").catch(() => "");
  const lines = index.split("\n").flatMap((line) => entryIn(line) ?? []);
  // The entry of a run that is being resumed, or was killed then, is old
  const marked = new Set(there.flatMap(({ name }) => fileOfMark(name) ?? []));
  const indexed = new Map(
    lines.filter(({ file }) => !marked.has(file)).map((entry) => [entry.file, entry]),
  );
  const entries = [...indexed.values()].filter(({ file }) => names.has(file));
  for (const file of [...names].filter((name) => !indexed.has(name)).sort()) {
    try {
      const path = join(results, file);
      const [goesOn, report] = [await isUnderWay(path), await readReport(path)];
      if (!goesOn) await addToIndex(place, path, report);
      entries.push({ ...entryOf(file, report), ...(goesOn && { isUnderWay: true }) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      onProblem(messageOf(error));
    }
  }
  return entries.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** Parses a line of the index; null if it is damaged or has another format than {@linkcode FORMAT}. */
function entryIn(line: string): IndexEntry | null {
  try {
    const { format, ...entry } = JSON.parse(line);
    return format === FORMAT && typeof entry.file === "string" && typeof entry.kind === "string" &&
        typeof entry.createdAt === "string" && typeof entry.hasCosts === "boolean" &&
        Array.isArray(entry.results)
      ? entry
      : null;
  } catch {
    return null;
  }
}

/** Returns whether a run measured rates, or what changed. */
export function hasFigures({ kind, results }: IndexEntry): boolean {
  // A run that measured only slices has no results
  return ["versus", "releases"].includes(kind) ||
    results.some(({ requestsPerS, relativeCpu }) => requestsPerS !== null || relativeCpu !== null);
}

/** Returns the path of the newest report, if possible of a finished run with figures. */
export async function newestReport(place: Place): Promise<string> {
  const all = await readHistory(place);
  // A run that failed at its start measured nothing
  const known = all.filter((entry) => hasFigures(entry) || entry.hasCosts);
  const last = known.findLast((entry) => !entry.isUnderWay) ?? known.at(-1) ?? all.at(-1);
  if (last === undefined) {
    throw new UsageError(
      `There is no report in ${place.results}/: name a file, or measure first, with stampede run`,
    );
  }
  return pathIn(place, last.file);
}

/** Returns the paths of the last two complete runs with figures, the older one first. */
export async function lastTwoRuns(place: Place): Promise<[base: string, head: string]> {
  const runs = (await readHistory(place)).filter((entry) =>
    isOfServers(entry) && entry.complete && hasFigures(entry)
  );
  const [base, head] = runs.slice(-2);
  if (base === undefined || head === undefined) {
    throw new UsageError(
      `There are no two runs in ${place.results}/ to compare: give two reports, the base first`,
    );
  }
  return [pathIn(place, base.file), pathIn(place, head.file)];
}

/** Returns the newest wanted report of `stampede noise`, with its path relative to the folder. */
export async function newestNoise(
  place: Place,
  isWanted: (report: Report) => boolean,
): Promise<{ readonly report: Report; readonly path: string } | null> {
  const runs = (await readHistory(place)).filter(({ kind }) => kind === "noise");
  for (const { file } of runs.reverse()) {
    const path = join(place.results, file);
    const report = await readReport(pathIn(place, file));
    if (report.kind === "run" && report.noise.length > 0 && isWanted(report)) {
      return { report, path };
    }
  }
  return null;
}
