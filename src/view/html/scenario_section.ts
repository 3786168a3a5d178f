import type { Report } from "../../model/report.ts";
import { explain } from "../explain.ts";
import { count } from "../../model/text.ts";
import { commandsFor } from "../reproduce.ts";
import { summaryTable } from "../tables/result_columns.ts";
import type { Table } from "../table.ts";
import { processorShares, rateBars, relativeCpuBars, roundRates } from "./bar_charts.ts";
import type { Chart } from "./chart.ts";
import { colorOf, itemsOf } from "./item.ts";
import { flames } from "./flame.ts";
import { latencyCurves } from "./latency.ts";
import { type Markup, markup } from "./markup.ts";
import { openLoopCurves, sweepCurves } from "./open_loop_curves.ts";
import { dot, htmlTable } from "./html_table.ts";

/** Matches the indent of an evidence line without a label; a tab replaces it. */
const INDENT = /^ {14}/;

/**
 * The charts of a scenario. Charts with a row for each server come first, because they have equal
 * heights.
 */
const CHARTS = [rateBars, relativeCpuBars, processorShares, latencyCurves, roundRates];

/**
 * Returns the section of a scenario: its table, charts, evidence and checks.
 *
 * @param servers all servers of the page, in the order of their colours
 */
export function scenarioSection(
  report: Report,
  scenario: string,
  servers: readonly string[],
): Markup {
  const items = itemsOf(report, scenario, servers);
  const isOpen = items.some(({ result }) => result.perS !== null);
  const charts = isOpen ? [openLoopCurves(report, scenario, servers) ?? []].flat() : [
    ...[sweepCurves(scenario, items, servers) ?? []].flat(),
    ...CHARTS.flatMap((chart) => chart(scenario, items) ?? []),
  ];
  const about = report.scenarios.find(({ id }) => id === scenario);
  const results = report.results.filter((result) => result.scenario === scenario);
  const commands = commandsFor(report, results);
  return markup`<section class="scenario" id="${idOf(scenario)}" data-scenario="${scenario}">
<h2>${scenario}</h2>
${
    about
      ? markup`<p class="request">${about.title}: <code>${about.method} ${about.path}</code>${
        about.queries > 0 ? `, ${count(about.queries, "database statement")} per response` : null
      }</p>`
      : null
  }
${
    htmlTable(tableOf(report, scenario), {
      caption: `${scenario}: every figure`,
      sorts: true,
      colorOf: (server) => colorOf(servers.indexOf(server)),
    })
  }
<div class="charts">${charts.map((chart) => figure(chart, scenario))}</div>
${flameSection(report, scenario)}
<details><summary>Evidence for the bottlenecks</summary><pre tabindex="0" class="evidence">${
    explain(report, [scenario], false).map((line) => line.replace(INDENT, "\t")).join("\n")
  }</pre></details>
${about ? verified(about.checks) : null}
<details><summary>Measure it again</summary><pre tabindex="0">${commands.join("\n")}</pre></details>
</section>
`;
}

/** Returns the id of a scenario's section in links. */
export function idOf(scenario: string): string {
  return `scenario-${scenario.replaceAll(/[^\w-]+/g, "-")}`;
}

/**
 * Returns a chart with the table of its figures.
 *
 * @param of subject of the table's caption, before the title
 * @param server the chart's server, so that the page can hide it; null for several
 */
export function figure(
  { title, note, legend = [], svg, table }: Chart,
  of: string,
  server: string | null = null,
): Markup {
  return markup`<figure${
    server === null ? null : markup` data-server="${server}"`
  }><figcaption><h3>${title}</h3><p>${note}${keysOf(legend)}</p></figcaption>${svg}${
    table === null ? null : markup`
<details><summary>Figures</summary>${
      htmlTable(table, { caption: `${of}: ${title}`, sorts: false })
    }</details>`
  }</figure>`;
}

/** Returns the flame graphs of a scenario, if servers were profiled. */
function flameSection(report: Report, scenario: string): Markup | null {
  const own = flames(report, scenario);
  return own && markup`<div class="flames"><h3>CPU profiles</h3>
<p class="legend">${own.note}${keysOf(own.legend)}</p>
${own.graphs.map((graph) => figure(graph, scenario, graph.server))}</div>
`;
}

function keysOf(legend: NonNullable<Chart["legend"]>): Markup[] {
  return legend.map(({ name, color }) => markup` <span class="key">${dot(color)}${name}</span>`);
}

function verified(checks: readonly string[]): Markup {
  return markup`<details><summary>Verified before every window: ${
    checks.length === 1 ? "1 check" : `${checks.length} checks`
  }</summary><ul>${checks.map((name) => markup`<li>${name}</li>`)}</ul></details>`;
}

/**
 * Returns the summary table of one scenario, without the scenario's name. The rank is the first
 * column, so that a phone shows it.
 */
function tableOf(report: Report, scenario: string): Table {
  const { columns, rows } = summaryTable(
    {
      ...report,
      results: report.results.filter((result) => result.scenario === scenario),
      servers: present(report, scenario),
    },
    true,
  );
  const place = (heading: string): number =>
    columns.findIndex((column) => column.heading === heading);
  const [scenarioAt, rankAt] = [place("Scenario"), place("Rank")];
  if (columns.length < 2 || scenarioAt === 0) return { columns, rows };
  const arranged = <T>(list: readonly T[]): T[] => [
    ...list.filter((_one, i) => i === rankAt),
    ...list.filter((_one, i) => i !== rankAt && i !== scenarioAt),
  ];
  return {
    columns: arranged(columns),
    rows: rows.map(({ cells, values, ...rest }) => ({
      ...rest,
      cells: arranged(cells),
      ...(values && { values: arranged(values) }),
    })),
  };
}

/** Returns the servers with a result at a scenario; the overview lists the others. */
function present({ servers, results }: Report, scenario: string): Report["servers"] {
  return servers.filter(({ id }) =>
    results.some((result) => result.scenario === scenario && result.variant === id)
  );
}
