/** Makes the HTML pages of reports and of a comparison. */
import { entryOf, isOfServers } from "../../analysis/histories.ts";
import type { Changes } from "../../model/derived.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import type { ChangesNotes } from "../changes_text.ts";
import { environment, programsOf } from "../environment_text.ts";
import { distinct } from "../format.ts";
import { nonEmpty } from "../../model/text.ts";
import { wholeCommand } from "../reproduce.ts";
import { columnLegend, plainTable } from "../table.ts";
import { changesNotes } from "../tables/changes_notes.ts";
import { changesTable } from "../tables/changes_table.ts";
import { changesTitle, changesVerdict } from "../tables/changes_verdict.ts";
import { experimentTables } from "../tables/experiment_tables.ts";
import {
  costsTable,
  hasServerFigures,
  partTables,
  serversTable,
  wideTables,
} from "../tables/report_tables.ts";
import { summaryTable } from "../tables/result_columns.ts";
import { differences } from "./differences.ts";
import { historySections } from "./history_page.ts";
import { colorOf, dot, htmlTable, listItems, type Markup, markup } from "./markup.ts";
import { documentOf, facts, timeOf } from "./document.ts";
import { changesPlot, overview, ownTables } from "./overview.ts";
import { idOf, scenarioSection } from "./scenario_section.ts";
import { descriptionOf } from "../titles.ts";

/** Returns the page of the last run, after the history of all; without a run, of merged runners. */
export async function html(reports: readonly AnyReport[]): Promise<string> {
  const sorted = reports.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const runs = sorted.filter((report) => report.kind === "run");
  // Reports without figures, and other experiments, are not part of a history
  const named = runs.filter(({ experiment, results }) =>
    isOfServers(experiment) && results.some(({ status }) => status === "ok")
  );
  const followed = runs.length > 1 && named.length > 0 ? named : runs;
  const last = followed.at(-1) ?? sorted.at(-1);
  if (last === undefined) return "";
  if (last.kind === "run") return await pageOfRun(last, followed);
  return await documentOf(last, {
    description: experimentTables(last)[0]?.verdict ?? "",
    header: markup`<p class="facts">${timeOf(last)}</p>`,
    main: markup`<section id="overview"><h2>Results</h2>
${ownTables(last)}</section>
<section id="method"><h2>Method and environment</h2>
${programs(last)}</section>`,
    source: "one report",
  });
}

function pageOfRun(report: Report, runs: readonly Report[]): Promise<string> {
  const servers = distinct(
    runs.flatMap(({ experiment: { variants } }) => variants.map(({ id }) => id)),
  );
  const scenarios = report.experiment.scenarios.filter((scenario) =>
    report.results.some((result) => result.scenario === scenario)
  );
  const links = scenarios.map((scenario) => markup`<a href="#${idOf(scenario)}">${scenario}</a>`);
  const entries = runs.map((run) => entryOf(run.id, run));
  return documentOf(report, {
    description: descriptionOf(report),
    servers,
    header: markup`<p class="facts">${facts(report)}</p>
${links.length > 0 && markup`<nav aria-label="Scenarios"><ul>${listItems(links)}</ul></nav>`}`,
    main: markup`${historySections(entries, servers)}
${overview(report, servers)}
${filter(report, servers)}
${differences(report)}
${scenarios.map((scenario) => scenarioSection(report, scenario, servers))}
${serversSection(report, servers)}${costsSection(report)}
${method(report)}`,
    source: `${sourceOf(runs)}, with every measurement`,
  });
}

function sourceOf({ length }: readonly unknown[]): string {
  return length === 1 ? "one report" : `${length} reports`;
}

/** Returns the controls that hide servers on the page. They are hidden until the page's script runs. */
function filter(report: Report, servers: readonly string[]): Markup | null {
  if (servers.length < 2 || report.results.length === 0) return null;
  const known = new Map(report.servers.map((server) => [server.id, server]));
  const boxes = servers.map((id, i) =>
    markup`<label title="${
      known.get(id)?.name ?? id
    }"><input type="checkbox" name="server" value="${id}" checked>${dot(colorOf(i))}${id}</label>`
  );
  const members = servers.flatMap((id) => {
    const { language, framework } = known.get(id) ?? {};
    return distinct(nonEmpty(language, framework)).map((group) => ({ id, group }));
  });
  const buttons = [...Map.groupBy(members, ({ group }) => group)]
    .map(([group, own]) => ({ group, ids: own.map(({ id }) => id) }))
    .filter(({ ids }) => ids.length > 1 && ids.length < servers.length)
    .map(({ group, ids }) =>
      markup`<button type="button" data-servers="${ids.join(",")}">${group}</button>`
    );
  return markup`<fieldset class="filter" hidden><legend>Servers</legend>${boxes}<button type="button" data-servers="all">all</button>${buttons}</fieldset>`;
}

function serversSection(report: Report, servers: readonly string[]): Markup | null {
  // Without windows there are ratios, but no figures of a server
  if (!hasServerFigures(report) || report.results.length === 0) return null;
  const [heading, caption] = report.servers.length > 1
    ? ["All servers", "Req/Sec of each server"]
    : ["Start-up and memory", "Start-up and memory"];
  return markup`<section id="servers"><h2>${heading}</h2>
${htmlTable(serversTable(report), { caption, sorts: true, servers })}${
    partTables(report).map(({ caption, table }) => htmlTable(table, { caption, sorts: false }))
  }</section>`;
}

function costsSection(report: Report): Markup | null {
  const table = costsTable(report);
  if (table.rows.length === 0) return null;
  const caption = "Median over the rounds, each server alone";
  return markup`<section id="costs"><h2>Costs</h2>
${htmlTable(table, { caption, sorts: true })}</section>`;
}

function method(report: Report): Markup {
  const { host: { findings }, database } = report;
  const rows = findings.map(({ name, status, found, advice }) => ({
    cells: [name, status, found, advice ?? ""],
  }));
  const machine = plainTable(["Aspect", "State", "Found", "What to do"], rows);
  const facts = nonEmpty(...environment(report), database && `Database: ${database}`);
  return markup`<section id="method"><h2>Method and environment</h2>
<ul>${listItems(facts)}</ul>
${columnLegend(wideTables(report)).map((text) => markup`<h3>Columns</h3><p>${text}</p>\n`)}${
    programs(report, htmlTable(machine, { caption: "The machine", sorts: false }))
  }
</section>`;
}

function programs(report: AnyReport, machine?: Markup): Markup {
  const rows = programsOf(report).map(({ name, version, servers }) => ({
    cells: [name, version, servers.join(", ")],
  }));
  const list = plainTable(["Program", "Version", "Servers"], rows);
  return markup`<h3>Run it again</h3><pre tabindex="0">${wholeCommand(report)}</pre>
${machine}
${htmlTable(list, { caption: "Versions", sorts: false })}`;
}

/** Returns the page of two compared reports: the changes, then every figure of both. */
export async function comparePage(
  base: { readonly name: string; readonly report: Report },
  head: typeof base,
  changes: Changes,
  { gate, notes }: ChangesNotes,
): Promise<string> {
  const sectionOf = (heading: string, { name, report }: typeof base): Markup =>
    markup`<section><h2>${heading}: ${name}</h2>
${htmlTable(summaryTable(report, true), { caption: `${heading}: every figure`, sorts: true })}
</section>`;
  return await documentOf(head.report, {
    title: changesTitle(changes, { base: base.name, head: head.name }),
    description: changesVerdict(changes),
    header: markup`<p class="facts">base: ${facts(base.report)}</p>
<p class="facts">head: ${facts(head.report)}</p>`,
    main: markup`<section id="overview"><h2>Changes</h2>
${changesPlot(changes, null)}
${htmlTable(changesTable(changes), { caption: "Changes from base to head", sorts: true })}
<ul class="notes">${listItems([...gate, ...changesNotes(changes), ...notes])}</ul></section>
${sectionOf("Base", base)}
${sectionOf("Head", head)}`,
    source: "two reports",
  });
}
