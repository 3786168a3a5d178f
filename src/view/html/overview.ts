/** Makes the cards of a page: the proven order of servers at each workload. */

import { isSameWorkload } from "../../analysis/keys.ts";
import {
  type BaselineRatio,
  type BaselineRatios,
  baselineRatiosOf,
  rankingsOf,
  sharesRank,
  workersOf,
} from "../../analysis/rankings.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { UNKNOWN } from "../../model/text.ts";
import { markedRate, multiple, spread, workloadNamer } from "../format.ts";
import { describeRanking } from "../ranking_text.ts";
import { describeStatus } from "../reasons.ts";
import { experimentTables } from "../tables/report_tables.ts";
import { absentServers, presentResults, summaryTable } from "../tables/result_columns.ts";
import { warnings } from "../warnings.ts";
import { changesPlot } from "./changes_plot.ts";
import { type DotPlot, dotPlot, type DotRow } from "./dots.ts";
import { htmlTable } from "./html_table.ts";
import { colorOf } from "./item.ts";
import { type Markup, markup } from "./markup.ts";

/** The card of one workload. */
export interface WorkloadCard {
  readonly scenario: string;
  readonly title: string;
  readonly sentence: string;
  readonly plot: DotPlot;
}

/** Returns a card for each workload: the proven order in a sentence, and a plot of the servers. */
export function workloadCardsOf(report: Report, servers: readonly string[]): WorkloadCard[] {
  const rankings = rankingsOf(report);
  const named = workloadNamer(report.results);
  return baselineRatiosOf(report).map((baselineRatios) => {
    const { scenario } = baselineRatios;
    const own = rankings.filter((ranking) => isSameWorkload(ranking, baselineRatios));
    const sentences = own.map((ranking) => `${capital(describeRanking(ranking))}.`);
    return {
      scenario,
      title: named(baselineRatios),
      sentence: sentences.length === 0 ? about(baselineRatios, report) : sentences.join(" "),
      plot: plotOf(baselineRatios, servers, report),
    };
  });
}

/** Returns the cards as markup, with their legend. */
function workloadCards(report: Report, servers: readonly string[]): Markup {
  const cards = workloadCardsOf(report, servers).map(({ scenario, title, sentence, plot }) =>
    markup`<div class="card" data-scenario="${scenario}"><h3>${title}</h3><p>${sentence}</p>${
      dotPlot(plot)
    }</div>`
  );
  return markup`<div class="cards">${cards}</div>
<p class="legend">${legend(report)}</p>`;
}

function plotOf(
  baselineRatios: BaselineRatios,
  servers: readonly string[],
  report: Report,
): DotPlot {
  const { metric, base, items, scenario } = baselineRatios;
  const rows = items.map((item): DotRow => ({
    name: `${rankOf(item, report)}${item.result.variant}`,
    value: item.ratio,
    confidenceInterval: item.confidenceInterval,
    color: colorOf(servers.indexOf(item.result.variant)),
    text: textOf(item, baselineRatios),
    server: item.result.variant,
  }));
  const what = metric === "requestsPerS" ? "Rate" : "CPU time per response";
  return {
    rows,
    base: 1,
    label: `${what} at ${scenario}, relative to ${base}`,
  };
}

/** Returns the rank, with `=` if several servers of a worker group share it. */
function rankOf({ result }: BaselineRatio, report: Report): string {
  if (result.rank === null) return "";
  return sharesRank(report, result) ? `${result.rank}= ` : `${result.rank}. `;
}

function textOf({ ratio, confidenceInterval }: BaselineRatio, { metric }: BaselineRatios): string {
  const width = confidenceInterval &&
    spread({ median: ratio, confidenceInterval: { ...confidenceInterval, coverage: 0 } });
  const figure = `${multiple(ratio)}${metric === "requestsPerS" ? " x" : ""}`;
  if (width === null || width === UNKNOWN) return figure;
  // Both sides have their own signs
  return width.startsWith("-") ? `${figure} ${width}` : `${figure} ± ${width}`;
}

/** Returns a sentence with the figures of the only server, or why servers were not compared. */
function about({ items }: BaselineRatios, report: Report): string {
  const [only, ...others] = items;
  if (only?.result.requestsPerS && others.length === 0) {
    const { requestsPerS, bottleneck } = only.result;
    const suffix = bottleneck === null ? "" : `; bottleneck: ${bottleneck.kind}`;
    return `${markedRate(requestsPerS.median, only.result)} responses per second${suffix}.`;
  }
  const workerGroups = new Set(items.map(({ result }) => workersOf(report, result.variant)));
  return workerGroups.size === items.length
    ? "Not ranked, because no two servers have the same number of workers."
    : "Too few rounds to prove anything.";
}

/** Returns the legend of the plots. */
export function legend(report: Report): string {
  const all = baselineRatiosOf(report);
  const by = (metric: BaselineRatios["metric"]): BaselineRatios[] =>
    all.filter((one) => one.metric === metric);
  const [relativeCpu, rates] = [by("serverCpuUs"), by("requestsPerS")];
  const reference = report.experiment.reference?.label;
  const isOfReference = ({ base }: BaselineRatios): boolean => base === reference;
  return [
    ...(relativeCpu.length === 0 ? [] : [
      `CPU time per response, relative to ${
        relativeCpu.every(isOfReference)
          ? `${reference} (Rel. CPU, dashed line)`
          : relativeCpu.some(isOfReference)
          ? `${reference} (Rel. CPU), or to the best server (dashed line)`
          : "the best server (dashed line)"
      }; less is better.`,
    ]),
    ...(rates.length === 0
      ? []
      : ["With x: rate relative to the best server (dashed line): more is better."]),
    "Lines and brackets: 95 % confidence intervals.",
    ...(report.experiment.variants.length > 1 ? ["=: shared rank."] : []),
  ].join(" ");
}

function capital(sentence: string): string {
  // A sentence can begin with the id of a server, which keeps its case
  return sentence.startsWith("nothing") ? `N${sentence.slice(1)}` : sentence;
}

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
