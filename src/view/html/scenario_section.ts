/** Makes the section of a scenario: its table, charts, evidence and checks. */
import type { Report } from "../../model/report.ts";
import { count } from "../../model/text.ts";
import { explain } from "../explain.ts";
import { commandsFor } from "../reproduce.ts";
import type { Table } from "../table.ts";
import { summaryTable } from "../tables/result_columns.ts";
import { processorShares, rateBars, relativeCpuBars } from "./bar_charts.ts";
import { figure, itemsOf } from "./chart.ts";
import { latencyCurves, openLoopCurves, roundRates, sweepCurves } from "./curves.ts";
import { flames } from "./flame.ts";
import { htmlTable, listItems, type Markup, markup } from "./markup.ts";

/** Matches the indent of an evidence line without a label; a tab replaces it. */
const INDENT = /^ {14}/;

/**
 * Returns the section of a scenario.
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
  // Charts with a row for each server come first, because they have equal heights
  const charts = isOpen ? [openLoopCurves(report, scenario, servers)] : [
    sweepCurves(scenario, items, servers),
    ...[rateBars, relativeCpuBars, processorShares, latencyCurves, roundRates]
      .map((chart) => chart(scenario, items)),
  ];
  const about = report.scenarios.find(({ id }) => id === scenario);
  const results = report.results.filter((result) => result.scenario === scenario);
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
    htmlTable(tableOf(report, results), {
      caption: `${scenario}: every figure`,
      sorts: true,
      servers,
    })
  }
<div class="charts">${charts.map((chart) => chart && figure(chart, scenario))}</div>
${flames(report, scenario)}
<details><summary>Evidence for the bottlenecks</summary><pre tabindex="0" class="evidence">${
    explain(report, [scenario], false).map((line) => line.replace(INDENT, "\t")).join("\n")
  }</pre></details>
${
    about
      ? markup`<details><summary>Verified before every window: ${
        count(about.checks.length, "check")
      }</summary><ul>${listItems(about.checks)}</ul></details>`
      : null
  }
<details><summary>Measure it again</summary><pre tabindex="0">${
    commandsFor(report, results).join("\n")
  }</pre></details>
</section>
`;
}

/** Returns the id of a scenario's section in links. */
export function idOf(scenario: string): string {
  return `scenario-${scenario.replaceAll(/[^\w-]+/g, "-")}`;
}

/**
 * Returns the summary table of one scenario, without the scenario's name. The rank is the first
 * column, so that a phone shows it. The overview lists the servers without a result.
 */
function tableOf(report: Report, results: Report["results"]): Table {
  const servers = report.servers.filter(({ id }) => results.some(({ variant }) => variant === id));
  const { columns, rows } = summaryTable({ ...report, results, servers }, true);
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
