import { basename, join } from "node:path";
import { compareReports } from "../../analysis/compare_reports.ts";
import { entryOf, isOfServers, isSmokeRun } from "../../analysis/index_entry.ts";
import { messageOf, UsageError } from "../../model/errors.ts";
import { FINE } from "../../model/exit_codes.ts";
import type { Report } from "../../model/report.ts";
import { hasFigures } from "../../results/run_index.ts";
import { readReport } from "../../results/read_report.ts";
import { RESULTS, writeWhole } from "../../results/store.ts";
import { isUnderWay } from "../../results/under_way.ts";
import { badge } from "../../view/badge.ts";
import { notesOfReports } from "../../view/changes_text.ts";
import { count } from "../../view/format.ts";
import { gateNotes } from "../../view/gate_text.ts";
import type { OtherPage, SiteRun } from "../../view/html/site_page.ts";
import { titleOf } from "../../view/html/title.ts";
import type { Io } from "../io.ts";

/** Options of `site`, as the table of options yields them. */
export interface SiteOptions {
  readonly out?: string;
}

/** Where a site goes unless the person says otherwise. */
export const SITE = "site";
/** In it; the folder of the pages of runs is the command's own. */
export const SITE_FILES = {
  page: "index.html",
  badge: "badge.svg",
  runs: "runs",
  comparison: "newest-two.html",
} as const;

/**
 * `site`: a static site of reports, for any host of pages: the newest run, what changed over the runs, a page for
 * each, and a badge.
 *
 * @param paths files, and folders of them; without any, `results/`
 * @throws {UsageError} if there is nothing to show, or no folder to write to.
 */
export async function site(
  paths: readonly string[],
  { out = SITE }: SiteOptions,
  io: Io,
): Promise<number> {
  const folder = io.path(out);
  const info = await Deno.stat(folder).catch(() => null);
  if (folder === "" || (info !== null && !info.isDirectory)) {
    throw new UsageError(`Cannot write a site to "${out}": that is not a folder`);
  }
  const files = paths.length > 0
    ? (await Promise.all(paths.map((path) => filesAt(io.path(path))))).flat()
    : await reportsIn(join(io.folder, RESULTS)).catch(() => []);
  // Charts take a library that nothing else needs
  const { html } = await import("../../view/html/page.ts");
  const { sitePage } = await import("../../view/html/site_page.ts");
  const runs: SiteRun[] = [];
  const pages = new Set<string>();
  const others: OtherPage[] = [];
  /** The newest of the runs that are worth most, and the one before it. */
  let newest: Report | null = null;
  let previous: Report | null = null;
  // One after the other: a report may be large
  for (const file of files) {
    io.stop.throwIfAborted();
    if (await isUnderWay(file)) {
      io.err(`Left out: ${file}, since its run is under way`);
      continue;
    }
    const report = await readReport(file).catch((error) => skip(file, error, io));
    if (report === null) continue;
    const entry = entryOf(basename(file), report);
    const isRun = isOfServers(entry) && hasFigures(entry);
    if (!isRun && (isOfServers(entry) || !isWorthAPage(report))) continue;
    const page = await html([report]).catch((error) => skip(file, error, io));
    if (page === null) continue;
    const plain = `${basename(file, ".json")}.html`;
    const name = pages.has(plain) ? `${report.id}-${plain}` : plain;
    pages.add(name);
    await writeWhole(join(folder, SITE_FILES.runs, name), page);
    const at = { ...entry, page: `${SITE_FILES.runs}/${encodeURIComponent(name)}` };
    if (!isRun) {
      others.push({ ...at, title: `${entry.kind}: ${titleOf(report)}` });
      continue;
    }
    runs.push(at);
    if (newest === null || !isBefore(report, newest)) [newest, previous] = [report, newest];
    else if (previous === null || !isBefore(report, previous)) previous = report;
  }
  if (newest === null) {
    const where = paths.length > 0 ? paths.join(", ") : `${RESULTS}/`;
    throw new UsageError(`There is no run in ${where} to make a site of: run bench first`);
  }
  for (const list of [runs, others]) list.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const { page, badge: badgeFile, runs: pagesFolder, comparison } = SITE_FILES;
  // Compared with a smoke run, a measurement would look like a change
  if (previous !== null && worthOf(previous) < worthOf(newest)) previous = null;
  if (previous !== null) {
    pages.add(comparison);
    await writeWhole(join(folder, pagesFolder, comparison), await pageOfBoth(previous, newest));
  }
  const extras = {
    others,
    comparison: previous === null ? null : `${pagesFolder}/${comparison}`,
  };
  await writeWhole(join(folder, page), await sitePage(runs, newest, extras));
  await writeWhole(join(folder, badgeFile), badge(newest));
  await removeOthers(join(folder, pagesFolder), pages);
  io.say(`A site of ${count(runs.length, "run")} is in ${folder}`);
  return FINE;
}

/** How much a run says: less if it was interrupted, or was only a look. */
function worthOf({ complete, results }: Report): number {
  return complete ? isSmokeRun(results) ? 1 : 2 : 0;
}

/** Whether another run is the better one for the first page: it is worth more, or is newer. */
function isBefore(one: Report, other: Report): boolean {
  const worth = worthOf(one) - worthOf(other);
  return worth < 0 || worth === 0 && one.createdAt < other.createdAt;
}

/** Whether a report that is no run has something to show. */
function isWorthAPage({ results, changes }: Report): boolean {
  return (changes?.changes.length ?? 0) > 0 || results.some(({ status }) => status === "ok");
}

/** What changed from one run to the next. */
async function pageOfBoth(base: Report, head: Report): Promise<string> {
  const { comparePage } = await import("../../view/html/compare_page.ts");
  const changes = compareReports(base, head, { noise: [], noiseSource: null, force: false });
  const gate = gateNotes(changes, { failOn: null, strict: false });
  const named = (report: Report): { name: string; report: Report } => ({
    name: `${report.createdAt.slice(0, 16).replace("T", " ")} UTC`,
    report,
  });
  const notes = notesOfReports(base, head);
  return await comparePage(named(base), named(head), changes, { gate, notes });
}

/** Says why a file has no page; the others have theirs. */
function skip(file: string, error: unknown, io: Io): null {
  const [message] = messageOf(error).split("\n");
  io.err(
    error instanceof UsageError ? `${message}` : `Cannot draw ${file}: it is damaged: ${message}`,
  );
  return null;
}

/** The reports of a folder, or the file that this is. */
async function filesAt(path: string): Promise<string[]> {
  const isFolder = await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
  return isFolder ? await reportsIn(path) : [path];
}

/** By their names. */
async function reportsIn(folder: string): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  return names.filter((name) => name.endsWith(".json")).sort().map((name) => join(folder, name));
}

/** Removes the pages of runs whose reports are gone. */
async function removeOthers(folder: string, pages: ReadonlySet<string>): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".html") && !pages.has(name)) await Deno.remove(join(folder, name));
  }
}
