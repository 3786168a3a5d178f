import { entryOf, isOfServers } from "../../analysis/histories.ts";
import type { ServerSummary } from "../../model/derived.ts";
import type { AnyReport, DistributedReport, Report } from "../../model/report.ts";
import { environment } from "../environment_text.ts";
import { quoted } from "../reproduce.ts";
import { column, columnLegend, type Table } from "../table.ts";
import { distributedVerdict } from "../tables/distributed_tables.ts";
import { partTables, wideTables } from "../tables/report_tables.ts";
import { hasServerFigures, serversTable } from "../tables/servers_table.ts";
import { descriptionOf, documentOf, facts, titleOf } from "./document.ts";
import { historySections } from "./history_page.ts";
import { dot, htmlTable } from "./html_table.ts";
import { colorOf } from "./item.ts";
import { type Markup, markup } from "./markup.ts";
import { overview, ownTables } from "./overview.ts";
import { idOf, scenarioSection } from "./scenario_section.ts";

/**
 * Returns the controls that hide servers on the page. They are hidden until the page's script runs.
 */
export function filter(report: Report, servers: readonly string[]): Markup | null {
  if (servers.length < 2 || report.results.length === 0) return null;
  const of = (id: string): ServerSummary | undefined => report.servers.find((one) => one.id === id);
  const boxes = servers.map((id, i) =>
    markup`<label title="${
      of(id)?.name ?? id
    }"><input type="checkbox" name="server" value="${id}" checked>${dot(colorOf(i))}${id}</label>`
  );
  const groups = new Map<string, string[]>();
  for (const id of servers) {
    const server = of(id);
    for (const group of new Set([server?.language, server?.framework])) {
      if (group) groups.set(group, [...groups.get(group) ?? [], id]);
    }
  }
  const buttons = [...groups].filter(([, ids]) => ids.length > 1 && ids.length < servers.length)
    .map(([name, ids]) =>
      markup`<button type="button" data-servers="${ids.join(",")}">${name}</button>`
    );
  return markup`<fieldset class="filter" hidden><legend>Servers</legend>${boxes}<button type="button" data-servers="all">all</button>${buttons}</fieldset>`;
}

/**
 * Returns reports as one self-contained page: the last run in full, and before it the history of each scenario
 * if there are several runs. Without a run, it shows the last report of merged runners.
 */
export async function html(reports: readonly AnyReport[]): Promise<string> {
  const sorted = reports.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const runs = sorted.filter((report) => report.kind === "run");
  if (runs.length > 0) return await pageOfRuns(runs);
  const merged = sorted.findLast((report) => report.kind === "distributed");
  return merged === undefined ? "" : await pageOfMerged(merged);
}

/** Returns the page of merged runners: their tables, and how to merge them again. */
function pageOfMerged(report: DistributedReport): Promise<string> {
  const { createdAt, versions, command } = report;
  return documentOf({
    title: titleOf(report),
    description: distributedVerdict(report),
    servers: 0,
    header: markup`<p class="facts">${createdAt.slice(0, 16).replace("T", " ")} UTC</p>`,
    main: markup`<section id="overview"><h2>Results</h2>
${ownTables(report)}</section>
<section id="method"><h2>Method and environment</h2>
${programs(versions, command)}</section>`,
    footer: `Made by Stampede ${versions.stampede ?? ""} from one report.`,
  });
}

async function pageOfRuns(all: readonly Report[]): Promise<string> {
  // Reports without figures, and other experiments, are not part of a history
  const named = all.filter((report) =>
    isOfServers(report.experiment) && report.results.some(({ status }) => status === "ok")
  );
  const sorted = all.length > 1 && named.length > 0 ? named : all;
  const last = sorted.at(-1);
  if (last === undefined) return "";
  const servers = [
    ...new Set(sorted.flatMap(({ experiment }) => experiment.variants.map(({ id }) => id))),
  ];
  const scenarios = last.experiment.scenarios.filter((scenario) =>
    last.results.some((result) => result.scenario === scenario)
  );
  const entries = sorted.map((report) => entryOf(report.id, report));
  return await documentOf({
    title: titleOf(last),
    description: descriptionOf(last),
    servers: servers.length,
    header: markup`<p class="facts">${facts(last)}</p>
${navigation(scenarios)}`,
    main: markup`${historySections(entries, servers)}
${overview(last, servers)}
${filter(last, servers)}
${scenarios.map((scenario) => scenarioSection(last, scenario, servers))}
${table(last, servers)}
${method(last)}`,
    footer: `Made by Stampede ${last.versions.stampede ?? ""} from ${
      sorted.length === 1 ? "one report" : `${sorted.length} reports`
    }, with every measurement.`,
  });
}

function navigation(scenarios: readonly string[]): Markup | null {
  if (scenarios.length === 0) return null;
  const links = scenarios.map((scenario) =>
    markup`<li><a href="#${idOf(scenario)}">${scenario}</a></li>`
  );
  return markup`<nav aria-label="Scenarios"><ul>${links}</ul></nav>`;
}

/** Returns the table with the start-up, memory and rates of every server. */
function table(report: Report, all: readonly string[]): Markup | null {
  // Without windows there are ratios, but no figures of a server
  if (!hasServerFigures(report) || report.results.length === 0) return null;
  const { servers } = report;
  const caption = servers.length > 1 ? "Req/Sec of each server" : "Start-up and memory";
  return markup`<section id="servers"><h2>${
    servers.length > 1 ? "All servers" : "Start-up and memory"
  }</h2>
${
    htmlTable(serversTable(report), {
      caption,
      sorts: true,
      colorOf: (server) => colorOf(all.indexOf(server)),
    })
  }${
    partTables(report).map(({ caption, table }) => htmlTable(table, { caption, sorts: false }))
  }</section>`;
}

function method(report: Report): Markup {
  const { host, versions, command, database } = report;
  const findings: Table = {
    columns: ["Aspect", "State", "Found", "What to do"].map((heading) => column(heading, false)),
    rows: host.findings.map(({ name, status, found, advice }) => ({
      cells: [name, status, found, advice ?? ""],
    })),
  };
  return markup`<section id="method"><h2>Method and environment</h2>
<ul>${environment(report).map((text) => markup`<li>${text}</li>`)}${
    database === null ? null : markup`<li>Database: ${database}</li>`
  }</ul>
${columnLegend(wideTables(report)).map((text) => markup`<h3>Columns</h3><p>${text}</p>\n`)}${
    programs(versions, command, htmlTable(findings, { caption: "The machine", sorts: false }))
  }
</section>`;
}

/** Returns the command of a report and the versions of the programs, with `machine` between them. */
function programs(
  versions: Report["versions"],
  command: readonly string[],
  machine: Markup | null = null,
): Markup {
  const list: Table = {
    columns: ["Program", "Version"].map((heading) => ({ heading, isNumber: false, dropOrder: 0 })),
    rows: Object.entries(versions).map(([name, version]) => ({ cells: [name, version] })),
  };
  return markup`<h3>Run it again</h3><pre tabindex="0">${quoted(command)}</pre>
${machine}
${htmlTable(list, { caption: "Versions", sorts: false })}`;
}
