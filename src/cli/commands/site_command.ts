/** The command that makes a static site of stored reports. */
import { basename, join, resolve } from "node:path";
import { conditionsOf } from "../../analysis/comparable.ts";
import { compareReports } from "../../analysis/derive_changes.ts";
import { entryOf, isOfServers, isSmokeRun } from "../../analysis/histories.ts";
import { isSameResult } from "../../analysis/keys.ts";
import type { ServerSummary } from "../../model/derived.ts";
import { FINE, messageOf, UsageError } from "../../model/errors.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import type { Server } from "../../model/server.ts";
import { count } from "../../model/text.ts";
import { readReport } from "../../results/read_report.ts";
import { hasFigures } from "../../results/run_index.ts";
import { isUnderWay, writeWhole } from "../../results/store.ts";
import { readCatalog } from "../../target/catalog.ts";
import { badge } from "../../view/badge.ts";
import { notesOfReports } from "../../view/changes_text.ts";
import type { OtherPage, Site, SiteServer } from "../../view/html/site_page.ts";
import { absences, standingsOf } from "../../view/tables/result_columns.ts";
import type { SiteRun } from "../../view/tables/standings_table.ts";
import { titleOf } from "../../view/titles.ts";
import { warnings } from "../../view/warnings.ts";
import type { Options } from "../command.ts";
import type { Io } from "../io.ts";

/** The folders of a site. `site` removes from them the files of reports that are gone. */
const [RUNS, SERVERS] = ["runs", "servers"] as const;

type Catalog = ReadonlyMap<string, Server>;

/** A run that has a page, and the path of its report. */
interface Measured {
  readonly run: SiteRun;
  readonly file: string;
}

export async function site(
  paths: readonly string[],
  { out = "site", repository }: Options,
  io: Io,
): Promise<number> {
  const folder = io.path(out);
  const info = await Deno.stat(folder).catch(() => null);
  if (folder === "" || (info !== null && !info.isDirectory)) {
    throw new UsageError(`Cannot write a site to "${out}": it is not a folder`);
  }
  const address = repository === undefined ? null : addressOf(repository);
  const files = paths.length > 0
    ? (await Promise.all(paths.map((path) => filesAt(io.path(path))))).flat()
    : await reportsIn(resolve(io.folder, io.results)).catch(() => []);
  // Loaded here, because only charts need their library
  const { comparePage, html } = await import("../../view/html/page.ts");
  const { sitePage } = await import("../../view/html/site_page.ts");
  const { serverPage } = await import("../../view/html/server_page.ts");
  const written = new WrittenFiles(folder, files);
  const catalog = await readCatalog();
  const others: OtherPage[] = [];
  const measured: Measured[] = [];
  let costs: Site["costs"] = null;
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
    const isOfCosts = report.kind === "run" && !isRun && entry.hasCosts;
    if (!isRun && !isOfCosts && (isOfServers(entry) || !isWorthAPage(report))) continue;
    const text = await html([report]).catch((error) => skip(file, error));
    if (text === null) continue;
    const name = written.claim(RUNS, basename(file, ".json"), report.id);
    const page = await written.write(`${RUNS}/${name}.html`, text);
    if (report.kind === "run" && isBetterSource(report, costs?.report)) {
      costs = { ...entry, page, report };
    }
    if (report.kind === "distributed" || !isRun) {
      const title = isOfCosts ? titleOf(report) : `${entry.kind}: ${titleOf(report)}`;
      others.push({ ...entry, page, title });
      continue;
    }
    const run: SiteRun = {
      ...entry,
      page,
      json: await written.copy(file, `${RUNS}/${name}.json`),
      worth: worthOf(report),
      standings: standingsOf(report),
      servers: report.servers.map((server) => withCauses(server, catalog)),
      notes: notesOf(report),
      conditions: report.experiment.reference && conditionsOf(report, "slices"),
      postgresql: report.versions.postgresql ?? null,
    };
    measured.push({ run, file });
  }
  measured.sort((a, b) =>
    b.run.worth - a.run.worth || b.run.createdAt.localeCompare(a.run.createdAt)
  );
  const [newest, ...older] = measured;
  if (newest === undefined) {
    const where = paths.length > 0 ? paths.join(", ") : `${io.results}/`;
    throw new UsageError(`There is no run in ${where}: measure first, with stampede run`);
  }
  const runs = measured.map(({ run }) => run);
  for (const list of [runs, others]) list.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  let comparison: string | null = null;
  const head = await runAt(newest.file);
  // A measurement would look like a change from a smoke run
  const previous = older.find(({ run }) =>
    run.worth >= newest.run.worth && sharesResult(run, newest.run)
  );
  if (previous !== undefined) {
    const base = await runAt(previous.file);
    const changes = compareReports(base, head, { noise: [], noiseSource: null, force: false });
    const notes = notesOfReports(base, head);
    const page = await comparePage(named(base), named(head), changes, { gate: [], notes });
    comparison = await written.write(`${RUNS}/newest-two.html`, page);
  }
  const made: Site = {
    runs,
    servers: serversOf(runs, written, catalog),
    newest: head,
    others,
    costs,
    comparison,
    repository: address,
  };
  for (const server of made.servers.values()) {
    await written.write(server.page, await serverPage(made, server));
  }
  await written.write("index.html", await sitePage(made));
  await written.write("badge.svg", badge(head));
  await written.removeOthers();
  io.say(`A site of ${count(runs.length, "run")} is in ${folder}`);
  return FINE;
}

/** Reads the report of a run again: many reports would need much memory at once. */
async function runAt(file: string): Promise<Report> {
  const report = await readReport(file);
  if (report.kind === "distributed") {
    throw new UsageError(`${file} changed while the site was made`);
  }
  return report;
}

/** Returns whether two runs have a result of the same server at the same workload. */
function sharesResult(a: SiteRun, b: SiteRun): boolean {
  return a.results.some((result) => b.results.some((other) => isSameResult(result, other)));
}

function named(report: Report): { readonly name: string; readonly report: Report } {
  return { name: `${report.createdAt.slice(0, 16).replace("T", " ")} UTC`, report };
}

/** Returns the address of the repository without a slash at its end. */
function addressOf(repository: string): string {
  if (!/^https?:$/.test(URL.parse(repository)?.protocol ?? "")) {
    throw new UsageError(
      `Cannot use --repository "${repository}": it is not an address such as https://example.org/stampede`,
    );
  }
  return repository.replace(/\/+$/, "");
}

/** Returns the missing servers of a report and its warnings. */
function notesOf(report: Report): string[] {
  const missing = [...absences(report)].map(([id, reason]) => `${id}: ${reason}`);
  return [...missing, ...warnings(report)];
}

/** Returns every server of the runs as in its newest run, with the path of its page. */
function serversOf(
  runs: readonly SiteRun[],
  written: WrittenFiles,
  catalog: Catalog,
): Map<string, SiteServer> {
  const known = new Map(
    runs.flatMap(({ servers }) => servers.map((server) => [server.id, server])),
  );
  return new Map([...known].map(([id, server]) => {
    const name = written.claim(SERVERS, id.replaceAll(/[^\w.-]+/g, "-"));
    const page = `${SERVERS}/${name}.html`;
    return [id, { ...server, page, sources: sourcesOf(server, catalog) }];
  }));
}

/** Replaces causes by those in the suite's manifest: a cause is found after the run that shows it. */
function withCauses(server: ServerSummary, catalog: Catalog): ServerSummary {
  const manifest = manifestOf(server, catalog);
  if (manifest === undefined) return server;
  const scenarios = Object.entries(server.scenarios).map(([id, { why: _old, ...notes }]) => {
    const why = manifest.scenarios[id]?.why;
    return [id, why === undefined ? notes : { ...notes, why }] as const;
  });
  return { ...server, scenarios: Object.fromEntries(scenarios) };
}

/** Returns the paths of a server of the suite: its manifest's folder, and that of its sources. */
function sourcesOf(server: ServerSummary, catalog: Catalog): string[] {
  const manifest = manifestOf(server, catalog);
  if (manifest === undefined) return [];
  const own = `peers/${manifest.id}`;
  const shared = join(own, manifest.sources);
  return shared === own ? [own] : [own, shared];
}

/** Returns the suite's manifest of a server; undefined if it only has the same id. */
function manifestOf({ id, name, language }: ServerSummary, catalog: Catalog): Server | undefined {
  const manifest = catalog.get(id);
  return manifest?.name === name && manifest.language === language ? manifest : undefined;
}

/** Returns the worth of a run: 0 if it was interrupted, 1 for a smoke run, 2 for a measurement. */
function worthOf({ complete, results }: Report): number {
  return complete ? isSmokeRun(results) ? 1 : 2 : 0;
}

/** Returns whether a whole run has costs of more servers than another one, or newer costs of as many. */
function isBetterSource(run: Report, other: Report | undefined): boolean {
  const servers = serversWithCosts(run);
  if (!run.complete || servers === 0) return false;
  const others = other === undefined ? 0 : serversWithCosts(other);
  return servers > others || servers === others && run.createdAt >= (other?.createdAt ?? "");
}

function serversWithCosts({ costs }: Report): number {
  return new Set(costs.map(({ variant }) => variant)).size;
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

/** The files of a site. Those of reports that are gone are removed; no report that is read is. */
class WrittenFiles {
  readonly #folder: string;
  readonly #inputs: ReadonlySet<string>;
  readonly #names = new Set<string>();
  readonly #paths = new Set<string>();

  constructor(folder: string, inputs: readonly string[]) {
    this.#folder = folder;
    this.#inputs = new Set(inputs.map((file) => resolve(file)));
  }

  /** Returns the name if no file in a folder of the site has it yet, else one with a prefix. */
  claim(folder: string, name: string, prefix = "other"): string {
    const free = this.#names.has(`${folder}/${name}`) ? `${prefix}-${name}` : name;
    this.#names.add(`${folder}/${free}`);
    return free;
  }

  /** Writes a file at a path in the site, and returns its address relative to the first page. */
  async write(path: string, text: string): Promise<string> {
    await writeWhole(join(this.#folder, path), text);
    return this.#add(path);
  }

  /** Copies a report into the site, unless it is there already. */
  async copy(file: string, path: string): Promise<string> {
    const target = join(this.#folder, path);
    if (resolve(file) !== resolve(target)) await Deno.copyFile(file, target);
    return this.#add(path);
  }

  #add(path: string): string {
    this.#paths.add(path);
    return path.split("/").map(encodeURIComponent).join("/");
  }

  /** Removes the pages and reports in the folders of the site that were not written. */
  async removeOthers(): Promise<void> {
    for (const folder of [RUNS, SERVERS]) {
      const entries = await Array.fromAsync(Deno.readDir(join(this.#folder, folder)));
      const names = new Set(entries.map(({ name }) => name));
      for (const name of names) {
        const path = join(this.#folder, folder, name);
        // Each report of the site has a page; another JSON file is not the site's
        const isOurs = name.endsWith(".html") || names.has(name.replace(/\.json$/, ".html"));
        if (!isOurs || this.#inputs.has(resolve(path)) || this.#paths.has(`${folder}/${name}`)) {
          continue;
        }
        await Deno.remove(path);
      }
    }
  }
}
