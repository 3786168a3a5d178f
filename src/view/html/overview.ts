import { baselineRatiosOf } from "../../analysis/baseline_ratios.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { describeStatus } from "../reasons.ts";
import { warnings } from "../warnings.ts";
import { experimentTables } from "../tables/report_tables.ts";
import { absentServers, presentResults, summaryTable } from "../tables/summary_table.ts";
import { workloadCards } from "./workload_cards.ts";
import { changesPlot } from "./changes_plot.ts";
import { type Markup, markup } from "./markup.ts";
import { htmlTable } from "./html_table.ts";

/** Returns the tables that are specific to merged runners or an experiment, with their notes. */
export function ownTables(report: AnyReport): Markup[] {
  return experimentTables(report).map(({ caption, table, notes }) =>
    markup`${htmlTable(table, { caption, sorts: true })}
<ul class="notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>
`
  );
}

/** Returns the overview: the ranking, the changes, or the figures of the only server. */
export function overview(report: Report, all: readonly string[]): Markup {
  const { changes, results } = report;
  const { kind, variants } = report.experiment;
  const isAlone = variants.length === 1;
  // Other experiments have their own tables
  const isOwn = !["run", "preset"].includes(kind);
  const heading = changes !== null ? "Changes" : isOwn || isAlone ? "Results" : headingOf(report);
  const first = changes !== null
    ? changesPlot(changes, report)
    : results.length === 0 || isOwn
    ? null
    : isAlone
    ? markup`${
      results.some(({ relativeCpu }) => relativeCpu !== null) ? workloadCards(report, all) : null
    }
${htmlTable(summaryTable(report, false), { caption: "Every scenario", sorts: true })}`
    : workloadCards(report, all);
  return markup`<section id="overview"><h2>${heading}</h2>
${first}${ownTables(report)}
<ul class="notes">${
    [...isAlone ? [] : missing(report), ...warnings(report)].map((text) => markup`<li>${text}</li>`)
  }</ul></section>`;
}

/** Returns the heading, with the metric of the ranking: CPU and rate may rank differently. */
function headingOf(report: Report): string {
  const metrics = new Set(baselineRatiosOf(report).map(({ metric }) => metric));
  if (metrics.size !== 1) {
    return metrics.size === 0 ? "Ranking" : "Ranking by CPU or by rate";
  }
  return metrics.has("requestsPerS") ? "Ranking by rate" : "Ranking by CPU";
}

/**
 * Returns a line for each server without figures, and for each result without figures, with the
 * reason.
 */
function missing(report: Report): string[] {
  const results = presentResults(report).filter(({ status }) => status !== "ok");
  return [
    ...absentServers(report).map(({ id, reason }) => `${id}: ${reason}`),
    ...results.map((result) =>
      `${result.variant} at ${result.scenario}: ${describeStatus(result)}`
    ),
  ];
}
