/** The commands that draw stored reports: report, history and site. */
import { basename, join, resolve } from "node:path";
import { compareReports } from "../../analysis/derive_changes.ts";
import { entryOf, isOfServers, isSmokeRun } from "../../analysis/histories.ts";
import { FINE, messageOf, UsageError } from "../../model/errors.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { count } from "../../model/text.ts";
import { readReport } from "../../results/read_report.ts";
import { hasFigures, newestReport, readHistory } from "../../results/run_index.ts";
import { claimPath, isUnderWay, writeWhole } from "../../results/store.ts";
import { badge } from "../../view/badge.ts";
import { notesOfReports } from "../../view/changes_text.ts";
import { titleOf } from "../../view/titles.ts";
import type { OtherPage, SiteRun } from "../../view/html/page.ts";
import { render } from "../../view/reporters.ts";
import { draw, type Screen, wrap } from "../../view/table.ts";
import { historyTable } from "../../view/tables/history_table.ts";
import type { Extent } from "../../view/terminal.ts";
import { type Options, readExplained } from "../command.ts";
import { FILE, type Io } from "../io.ts";

export async function report(paths: readonly string[], options: Options, io: Io): Promise<number> {
  const { format, out, explain, wide: isWide = false } = options;
  const files = paths.length > 0 ? paths.map((path) => io.path(path)) : [await newestReport(io)];
  const reports = await Promise.all(files.map(readReport));
  if (format !== "table" && (isWide || explain !== undefined)) {
    throw new UsageError(
      `--format ${format} contains every figure: leave out --wide and --explain`,
    );
  }
  const extents = new Map(reports.map((report, i) => {
    if (report.kind === "distributed" && explain !== undefined) {
      throw new UsageError("Cannot explain merged runners: leave out --explain");
    }
    const scenarios = report.kind === "run" ? report.experiment.scenarios : [];
    const explained = readExplained(explain, scenarios.map((id) => ({ id })));
    return [report, { explained, isWide, file: paths[i] ?? null }];
  }));
  const drawn = (screen: Screen): Promise<string> =>
    render(format, reports, screen, (report) => extents.get(report) as Extent).catch((error) => {
      if (error instanceof UsageError) throw error;
      // The schema accepts some impossible values, such as a damaged histogram
      const [message] = messageOf(error).split("\n");
      throw new UsageError(
        `Cannot print ${files.join(", ")} as ${format}: it is damaged: ${message}`,
      );
    });
  if (out === undefined) {
    io.out((await drawn(io.screen)).trimEnd());
    return FINE;
  }
  const path = await claimPath(io.path(out));
  if ((await Promise.all(files.map((file) => Deno.realPath(file)))).includes(path)) {
    throw new UsageError(`Cannot write to ${out}: it is the report itself; choose another --out`);
  }
  await writeWhole(path, await drawn(FILE));
  io.out(`Written to ${path}`);
  return FINE;
}

const HISTORY_LEGEND =
  "Scenario: Req/Sec; rel. CPU: CPU time per response, bare Deno.serve is 1, comparable from day to day; commit with +: with uncommitted changes. As HTML pages, with changes:";

export async function history(
  scenarios: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  const ids = (options.servers ?? "all").split(",").map((id) => id.trim());
  const runs = (await readHistory(io, io.err)).filter((entry) =>
    isOfServers(entry) || entry.kind === "distributed"
  );
  const entries = runs.map((entry) => ({
    ...entry,
    results: entry.results.filter(({ variant, scenario, requestsPerS }) =>
      requestsPerS !== null && (ids.includes("all") || ids.includes(variant)) &&
      (scenarios.length === 0 || scenarios.includes(scenario))
    ),
  })).filter(({ results }) => results.length > 0);
  if (entries.length === 0) {
    throw new UsageError(
      `There is no such run in ${io.results}/: measure first, with stampede run`,
    );
  }
  const table = draw(historyTable(entries), io.screen);
  const legend = wrap(HISTORY_LEGEND, io.screen.columns);
  io.out([...table, "", ...legend, `  ${[...io.program, "site"].join(" ")}`].join("\n"));
  return FINE;
}

/** The folder in a site with the pages of runs. `site` removes those that it has not just written. */
const PAGES = "runs";

export async function site(
  paths: readonly string[],
  { out = "site" }: Options,
  io: Io,
): Promise<number> {
  const folder = io.path(out);
  const info = await Deno.stat(folder).catch(() => null);
  if (folder === "" || (info !== null && !info.isDirectory)) {
    throw new UsageError(`Cannot write a site to "${out}": it is not a folder`);
  }
  const files = paths.length > 0
    ? (await Promise.all(paths.map((path) => filesAt(io.path(path))))).flat()
    : await reportsIn(resolve(io.folder, io.results)).catch(() => []);
  // Loaded here, because only charts need their library
  const { comparePage, html, sitePage } = await import("../../view/html/page.ts");
  const runs: SiteRun[] = [];
  const pages = new Set<string>();
  const others: OtherPage[] = [];
  /** The two newest of the runs with the highest {@linkcode worthOf}, the newest first. */
  let best: Report[] = [];
  const skip = (file: string, error: unknown): null => {
    const [message = ""] = messageOf(error).split("\n");
    io.err(error instanceof UsageError ? message : `Left out ${file}: it is damaged: ${message}`);
    return null;
  };
  // Sequentially, because a report may be large
  for (const file of files) {
    io.stop.throwIfAborted();
    if (await isUnderWay(file)) {
      io.err(`Left out ${file}: its run has not ended`);
      continue;
    }
    const report = await readReport(file).catch((error) => skip(file, error));
    if (report === null) continue;
    const entry = entryOf(basename(file), report);
    const isRun = isOfServers(entry) && hasFigures(entry);
    if (!isRun && (isOfServers(entry) || !isWorthAPage(report))) continue;
    const page = await html([report]).catch((error) => skip(file, error));
    if (page === null) continue;
    const plain = `${basename(file, ".json")}.html`;
    const name = pages.has(plain) ? `${report.id}-${plain}` : plain;
    pages.add(name);
    await writeWhole(join(folder, PAGES, name), page);
    const at = { ...entry, page: `${PAGES}/${encodeURIComponent(name)}` };
    if (report.kind === "distributed" || !isRun) {
      others.push({ ...at, title: `${entry.kind}: ${titleOf(report)}` });
      continue;
    }
    runs.push(at);
    best = [report, ...best].sort((a, b) =>
      worthOf(b) - worthOf(a) || b.createdAt.localeCompare(a.createdAt)
    ).slice(0, 2);
  }
  const [newest, previous] = best;
  if (newest === undefined) {
    const where = paths.length > 0 ? paths.join(", ") : `${io.results}/`;
    throw new UsageError(`There is no run in ${where}: measure first, with stampede run`);
  }
  for (const list of [runs, others]) list.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  let comparison: string | null = null;
  // A measurement would look like a change from a smoke run
  if (previous !== undefined && worthOf(previous) >= worthOf(newest)) {
    const changes = compareReports(previous, newest, {
      noise: [],
      noiseSource: null,
      force: false,
    });
    const named = (report: Report): { name: string; report: Report } => ({
      name: `${report.createdAt.slice(0, 16).replace("T", " ")} UTC`,
      report,
    });
    const notes = notesOfReports(previous, newest);
    pages.add("newest-two.html");
    comparison = `${PAGES}/newest-two.html`;
    const page = await comparePage(named(previous), named(newest), changes, { gate: [], notes });
    await writeWhole(join(folder, comparison), page);
  }
  const first = await sitePage(runs, newest, { others, comparison });
  await writeWhole(join(folder, "index.html"), first);
  await writeWhole(join(folder, "badge.svg"), badge(newest));
  for await (const { name } of Deno.readDir(join(folder, PAGES))) {
    const isOutdated = name.endsWith(".html") && !pages.has(name);
    if (isOutdated) await Deno.remove(join(folder, PAGES, name));
  }
  io.say(`A site of ${count(runs.length, "run")} is in ${folder}`);
  return FINE;
}

/** Returns the worth of a run: 0 if it was interrupted, 1 for a smoke run, 2 for a measurement. */
function worthOf({ complete, results }: Report): number {
  return complete ? isSmokeRun(results) ? 1 : 2 : 0;
}

/** Returns whether a report of an experiment other than `run` has figures to show. */
function isWorthAPage(report: AnyReport): boolean {
  return report.kind === "distributed" || (report.changes?.changes.length ?? 0) > 0 ||
    report.results.some(({ status }) => status === "ok");
}

async function filesAt(path: string): Promise<string[]> {
  const isFolder = await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
  return isFolder ? await reportsIn(path) : [path];
}

async function reportsIn(folder: string): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  return names.filter((name) => name.endsWith(".json")).sort().map((name) => join(folder, name));
}
