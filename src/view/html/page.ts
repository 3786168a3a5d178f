import type { ServerSummary } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { conditions } from "../conditions.ts";
import { describeStatus } from "../reasons.ts";
import { remarks } from "../remarks.ts";
import { quoted } from "../reproduce.ts";
import { serversTable } from "../tables/servers.ts";
import { absentServers, presentCells, summaryTable } from "../tables/summary.ts";
import type { Table } from "../table.ts";
import { ownTables } from "../tables/own.ts";
import { answers } from "./answers.ts";
import { changesPlot } from "./changes.ts";
import { historySection } from "./history.ts";
import { colorOf } from "./item.ts";
import { Markup, markup } from "./markup.ts";
import { asset, palette } from "./style.ts";
import { idOf, scenarioSection } from "./scenario.ts";
import { dot, htmlTable } from "./tables.ts";
import { titleOf } from "./title.ts";

/** Nothing is loaded from anywhere, even if a name in the report asks for it. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/**
 * Reports as one page that needs nothing else: the last one in full, and before it, of several, how
 * each scenario went over time.
 */
export async function html(reports: readonly Report[]): Promise<string> {
  const sorted = reports.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const last = sorted.at(-1);
  if (last === undefined) return "";
  const servers = [
    ...new Set(sorted.flatMap(({ experiment }) => experiment.arms.map(({ id }) => id))),
  ];
  const scenarios = last.experiment.scenarios.filter((scenario) =>
    last.cells.some((cell) => cell.scenario === scenario)
  );
  const title = titleOf(last);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<title>${title} – Stampede</title>
<link rel="icon" href="data:,">
<style>
${new Markup(await asset("colors.css"))}
${new Markup(await asset("page.css"))}
${new Markup(await asset("dots.css"))}
${palette(servers.length)}
</style>
</head>
<body>
<a class="skip" href="#main">To the figures</a>
<header>
<p class="brand">Stampede</p>
<h1>${title}</h1>
<p class="facts">${facts(last)}</p>
${navigation(scenarios)}
${filter(last, servers)}
</header>
<main id="main">
${sorted.length > 1 ? historySection(sorted, servers) : null}
${overview(last, servers)}
${scenarios.map((scenario) => scenarioSection(last, scenario, servers))}
${table(last, servers)}
${method(last)}
</main>
<footer><p>Made by Stampede ${last.versions.stampede ?? ""} from ${
    sorted.length === 1 ? "one report" : `${sorted.length} reports`
  }, in which every figure lies as it was measured.</p></footer>
<script>
${new Markup(await asset("page.js"))}
</script>
</body>
</html>
`;
  return page.text;
}

function navigation(scenarios: readonly string[]): Markup | null {
  if (scenarios.length === 0) return null;
  const links = scenarios.map((scenario) =>
    markup`<li><a href="#${idOf(scenario)}">${scenario}</a></li>`
  );
  return markup`<nav aria-label="Scenarios"><ul>${links}</ul></nav>`;
}

function facts({ createdAt, commit, host, versions }: Report): string {
  return [
    createdAt.slice(0, 16).replace("T", " ") + " UTC",
    `${host.cores} x ${host.cpuModel}`,
    `Deno ${versions.deno}`,
    ...(commit ? [`commit ${commit.id.slice(0, 12)}${commit.isDirty ? " with changes" : ""}`] : []),
  ].join(" · ");
}

/** Which servers to show; a script makes it work, and shows it. */
function filter(report: Report, servers: readonly string[]): Markup | null {
  if (servers.length < 2 || report.cells.length === 0) return null;
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

/** What is asked first: who is best, or what changed, or what the one server reached. */
function overview(report: Report, all: readonly string[]): Markup {
  const { changes, cells } = report;
  const own = ownTables(report).map(({ caption, table, notes }) =>
    markup`${htmlTable(table, { caption, sorts: true })}
<ul class="remarks">${notes.map((note) => markup`<li>${note}</li>`)}</ul>
`
  );
  const { kind, arms } = report.experiment;
  const isAlone = arms.length === 1;
  // Of what an experiment of another kind was made for, its own table tells
  const isOwn = !["run", "preset"].includes(kind);
  const heading = changes !== null
    ? "What changed"
    : isOwn || isAlone
    ? "What was found"
    : "Who is best";
  const first = changes !== null
    ? changesPlot(changes)
    : cells.length === 0 || isOwn
    ? null
    : isAlone
    ? htmlTable(summaryTable(report, false), { caption: "Every scenario", sorts: true })
    : answers(report, all);
  return markup`<section id="overview"><h2>${heading}</h2>
${first}${own}
<ul class="remarks">${
    [...isAlone ? [] : missing(report), ...remarks(report)].map((text) => markup`<li>${text}</li>`)
  }</ul></section>`;
}

/** Servers that have no figures, or not at every scenario, each with why. */
function missing(report: Report): string[] {
  const cells = presentCells(report).filter(({ status }) => status !== "ok");
  return [
    ...absentServers(report).map(({ id, reason }) => `${id}: ${reason}`),
    ...cells.map((cell) => `${cell.arm} at ${cell.scenario}: ${describeStatus(cell)}`),
  ];
}

/** Every server's start, memory and rates in one table. */
function table(report: Report, all: readonly string[]): Markup {
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
  }</section>`;
}

function method(report: Report): Markup {
  const { host, versions, command, database } = report;
  const findings: Table = {
    columns: ["", "State", "Found", "What to do"].map((heading) => ({
      heading: heading || "Aspect",
      isNumber: false,
      dropOrder: 0,
    })),
    rows: host.findings.map(({ name, status, found, advice }) => ({
      cells: [name, status, found, advice ?? ""],
    })),
  };
  const list: Table = {
    columns: ["Program", "Version"].map((heading) => ({ heading, isNumber: false, dropOrder: 0 })),
    rows: Object.entries(versions).map(([name, version]) => ({ cells: [name, version] })),
  };
  return markup`<section id="method"><h2>Host, conditions, and the same again</h2>
<ul>${conditions(report).map((text) => markup`<li>${text}</li>`)}${
    database === null ? null : markup`<li>Database: ${database}</li>`
  }</ul>
<h3>Run it again</h3><pre tabindex="0">${quoted(command)}</pre>
${htmlTable(findings, { caption: "The machine", sorts: false })}
${htmlTable(list, { caption: "Versions", sorts: false })}
</section>`;
}
