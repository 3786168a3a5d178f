/** Makes the overview of a page: the proven order of the servers at each workload, or the changes. */
import { isOfServers } from "../../analysis/histories.ts";
import { isSameWorkload } from "../../analysis/keys.ts";
import {
  type BaselineRatios,
  baselineRatiosOf,
  rankingsOf,
  sharesRank,
  workersOf,
} from "../../analysis/rankings.ts";
import { roundRatios } from "../../analysis/variant_changes.ts";
import { type Change, type Changes, isOfResponses } from "../../model/derived.ts";
import { CHANGE_METRICS, FIGURES, isMoreBetter } from "../../model/figures.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { markedRate, multiple, namer, plusMinus, rate, workloadNamer } from "../format.ts";
import { nonEmpty } from "../../model/text.ts";
import { describeRanking, enumerated } from "../titles.ts";
import { describeStatus } from "../reasons.ts";
import { headingOf as headingOfChange, nameOf, percent } from "../tables/changes_table.ts";
import { changesVerdict } from "../tables/changes_verdict.ts";
import { experimentTables } from "../tables/experiment_tables.ts";
import { absences, summaryTable } from "../tables/result_columns.ts";
import { warnings } from "../warnings.ts";
import { type DotPlot, dotPlot } from "./dots.ts";
import { releaseCharts } from "./release_charts.ts";
import { colorOf, htmlTable, listItems, type Markup, markup } from "./markup.ts";

/** Returns the overview: the ranking, the changes, or the figures of the only server. */
export function overview(report: Report, servers: readonly string[]): Markup {
  const { changes, results, experiment } = report;
  const isAlone = experiment.variants.length === 1;
  // Other experiments have their own tables
  const isRanked = isOfServers(experiment) && !isAlone;
  const heading = changes !== null ? "Changes" : isRanked ? headingOf(report) : "Results";
  let first: Markup | null = null;
  if (experiment.kind === "releases") first = releaseCharts(report, servers);
  else if (changes !== null) first = changesPlot(changes, report);
  else if (results.length > 0 && isOfServers(experiment)) {
    const isCompared = results.some(({ relativeCpu }) => relativeCpu !== null);
    const cards = isRanked || isCompared ? workloadCards(report, servers) : null;
    first = isRanked ? cards : markup`${cards}
${htmlTable(summaryTable(report, false), { caption: "Every scenario", sorts: true })}`;
  }
  const notes = [...isAlone ? [] : missing(report), ...warnings(report)];
  return markup`<section id="overview"><h2>${heading}</h2>
${first}${ownTables(report)}
<ul class="notes">${listItems(notes)}</ul></section>`;
}

/** Returns the tables that are specific to merged runners or an experiment, with their notes. */
export function ownTables(report: AnyReport): Markup[] {
  return experimentTables(report).map(({ caption, table, notes }) =>
    markup`${table.rows.length > 0 && htmlTable(table, { caption, sorts: true })}
<ul class="notes">${listItems(notes)}</ul>
`
  );
}

/** Returns the heading, with the metric of the ranking: CPU and rate may rank differently. */
function headingOf(report: Report): string {
  const metrics = new Set(baselineRatiosOf(report).map(({ metric }) => metric));
  if (metrics.size === 0) return "Ranking";
  if (metrics.size > 1) return "Ranking by CPU or by rate";
  return metrics.has("requestsPerS") ? "Ranking by rate" : "Ranking by CPU";
}

function missing(report: Report): string[] {
  const absent = absences(report);
  return [
    ...[...absent].map(([id, reason]) => `${id}: ${reason}`),
    ...report.results.filter(({ variant, status }) => status !== "ok" && !absent.has(variant))
      .map((result) => `${result.variant} at ${result.scenario}: ${describeStatus(result)}`),
  ];
}

interface WorkloadCard {
  readonly scenario: string;
  readonly title: string;
  readonly sentence: string;
  readonly plot: DotPlot;
}

function workloadCardsOf(report: Report, servers: readonly string[]): WorkloadCard[] {
  const rankings = rankingsOf(report);
  const named = workloadNamer(report.results);
  return baselineRatiosOf(report).map((baselineRatios) => {
    const { scenario, metric, base, items } = baselineRatios;
    const isRate = metric === "requestsPerS";
    const sentences = rankings.filter((ranking) => isSameWorkload(ranking, baselineRatios))
      // A sentence can begin with the id of a server, which keeps its case
      .map((ranking) => `${describeRanking(ranking).replace(/^nothing/, "Nothing")}.`);
    const rows = items.map(({ result, ratio, confidenceInterval }) => {
      const { variant: server, rank } = result;
      const place = rank === null ? "" : `${rank}${sharesRank(report, result) ? "=" : "."} `;
      const interval = confidenceInterval && { ...confidenceInterval, coverage: 0 };
      return {
        name: place + server,
        ratio,
        confidenceInterval,
        color: colorOf(servers.indexOf(server)),
        text: `${multiple(ratio)}${isRate ? " x" : ""}${
          plusMinus({ median: ratio, confidenceInterval: interval })
        }`,
        server,
      };
    });
    const what = isRate ? "Rate" : "CPU time per response";
    return {
      scenario,
      title: named(baselineRatios),
      sentence: sentences.length === 0 ? about(items, report) : sentences.join(" "),
      plot: { rows, label: `${what} at ${scenario}, relative to ${base}` },
    };
  });
}

function workloadCards(report: Report, servers: readonly string[]): Markup {
  const cards = workloadCardsOf(report, servers).map(({ scenario, title, sentence, plot }) =>
    markup`<div class="card" data-scenario="${scenario}"><h3>${title}</h3><p>${sentence}</p>${
      dotPlot(plot)
    }</div>`
  );
  return markup`<div class="cards">${cards}</div>
<p class="legend">${legend(report)}</p>`;
}

/** Returns a plot of the changes, of the servers at each workload, or of the only server's scenarios. */
export function cardsOf(report: Report, servers: readonly string[]): WorkloadCard[] {
  const { changes, experiment: { reference }, results } = report;
  if (changes !== null) {
    const plot = plotOfChanges(changes, report);
    return [{ scenario: "", title: "Changes", sentence: changesVerdict(changes), plot }];
  }
  if (servers.length > 1) return workloadCardsOf(report, servers);
  const rows = results.flatMap((result): DotPlot["rows"] => {
    const { requestsPerS, relativeCpu, scenario, variant, isLowerBound } = result;
    return requestsPerS === null || relativeCpu === null ? [] : [{
      ...relativeCpu,
      name: scenario,
      color: colorOf(0),
      text: `${multiple(relativeCpu.ratio)}, ${isLowerBound ? "≥ " : ""}${
        rate(requestsPerS.median)
      }/s`,
      server: variant,
    }];
  });
  return rows.length === 0 ? [] : [{
    scenario: "",
    title: "Relative CPU time per response",
    sentence: `${
      reference?.label ?? "The reference"
    } is 1; less is better. Second figure: responses per second.`,
    plot: { rows, label: "Relative CPU time at each scenario" },
  }];
}

function about(items: BaselineRatios["items"], report: Report): string {
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
  if (report.changes !== null) return CHANGES_LEGEND;
  const all = baselineRatiosOf(report);
  const bases = all.filter(({ metric }) => metric === "serverCpuUs").map(({ base }) => base);
  const reference = report.experiment.reference?.label;
  const to = bases.every((base) => base === reference)
    ? `${reference} (Rel. CPU, dashed line)`
    : bases.some((base) => base === reference)
    ? `${reference} (Rel. CPU), or to the best server (dashed line)`
    : "the best server (dashed line)";
  return nonEmpty(
    bases.length > 0 && `CPU time per response, relative to ${to}; less is better.`,
    bases.length < all.length &&
      "With x: rate relative to the best server (dashed line): more is better.",
    "Lines and brackets: 95 % confidence intervals.",
    report.experiment.variants.length > 1 && "=: shared rank.",
  ).join(" ");
}

const [MORE_IS_BETTER, LESS_IS_BETTER] = [true, false].map((isMore) =>
  enumerated(
    CHANGE_METRICS.filter((metric) => isMoreBetter(metric) === isMore)
      .map((metric) => FIGURES[metric].column.heading),
  )
);
const CHANGES_LEGEND =
  `Dots: head over base, the paired median; lines: 95 % confidence intervals. Less is better for ${LESS_IS_BETTER}, and for costs; more is better for ${MORE_IS_BETTER}.`;

const COLORS: { readonly [K in Change["verdict"]]?: string } = {
  slower: "var(--worse)",
  faster: "var(--better)",
};

/** Largest ratio in a plot. The table has all. */
const MOST_RATIO = 10;

// Without a report, the rounds have no points
function plotOfChanges({ changes, costs }: Changes, report: Report | null): DotPlot {
  const named = namer(changes);
  const rows = [...changes, ...costs].flatMap((change): DotPlot["rows"] => {
    const { ratio, confidenceInterval, variant, verdict } = change;
    // The axis of the others would shrink to nothing next to a multiple
    return ratio === null || ratio > MOST_RATIO ? [] : [{
      name: isOfResponses(change) ? `${named(change)} ${headingOfChange(change)}` : nameOf(change),
      ratio,
      confidenceInterval,
      color: COLORS[verdict] ?? "var(--faint)",
      text: percent(ratio),
      server: variant,
      points: report === null ? [] : roundRatios(report, change),
    }];
  });
  return { rows, label: "Each metric of head relative to base", isClose: true };
}

/** Returns the verdict and the plot, in a wide and a narrow version. */
export function changesPlot(changes: Changes, report: Report | null): Markup {
  const verdict = markup`<p class="verdict">${changesVerdict(changes)}</p>
`;
  const plot = plotOfChanges(changes, report);
  if (plot.rows.length === 0) return verdict;
  const points = report === null ? "" : " Small points: rounds; rings: rounds beyond the axis.";
  return markup`${verdict}<div class="narrow">${dotPlot(plot)}</div><div class="wide">${
    dotPlot({ ...plot, width: 1000 })
  }</div>
<p class="legend">${CHANGES_LEGEND}${points}</p>`;
}
