/** Makes the overview of a page: the proven order of the servers at each workload, or the changes. */
import { isSameWorkload } from "../../analysis/keys.ts";
import {
  type BaselineRatios,
  baselineRatiosOf,
  rankingsOf,
  sharesRank,
  workersOf,
} from "../../analysis/rankings.ts";
import { roundRatios } from "../../analysis/derive_changes.ts";
import type { Change, Changes } from "../../model/derived.ts";
import { CHANGE_METRICS, FIGURES, isMoreBetter } from "../../model/figures.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { UNKNOWN } from "../../model/text.ts";
import { changesVerdict, namer } from "../changes_verdict.ts";
import { markedRate, multiple, spread, workloadNamer } from "../format.ts";
import { describeRanking, enumerated } from "../ranking_text.ts";
import { describeStatus } from "../reasons.ts";
import { percent } from "../tables/changes_table.ts";
import { experimentTables } from "../tables/report_tables.ts";
import { absentServers, presentResults, summaryTable } from "../tables/result_columns.ts";
import { warnings } from "../warnings.ts";
import { type DotPlot, dotPlot, type DotRow } from "./dots.ts";
import { colorOf, htmlTable, listItems, type Markup, markup } from "./markup.ts";

/** Returns the overview: the ranking, the changes, or the figures of the only server. */
export function overview(report: Report, servers: readonly string[]): Markup {
  const { changes, results, experiment: { kind, variants } } = report;
  const isAlone = variants.length === 1;
  // Other experiments have their own tables
  const isOwn = !["run", "preset"].includes(kind);
  const heading = changes !== null ? "Changes" : isOwn || isAlone ? "Results" : headingOf(report);
  let first: Markup | null = null;
  if (changes !== null) first = changesPlot(changes, report);
  else if (results.length > 0 && !isOwn) {
    const isCompared = results.some(({ relativeCpu }) => relativeCpu !== null);
    const cards = isAlone && !isCompared ? null : workloadCards(report, servers);
    first = !isAlone ? cards : markup`${cards}
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
    markup`${htmlTable(table, { caption, sorts: true })}
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

/** Returns the servers and results without figures, each with the reason. */
function missing(report: Report): string[] {
  const results = presentResults(report).filter(({ status }) => status !== "ok");
  return [
    ...absentServers(report).map(({ id, reason }) => `${id}: ${reason}`),
    ...results.map((result) =>
      `${result.variant} at ${result.scenario}: ${describeStatus(result)}`
    ),
  ];
}

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
    const { scenario, metric, base, items } = baselineRatios;
    const sentences = rankings.filter((ranking) => isSameWorkload(ranking, baselineRatios))
      // A sentence can begin with the id of a server, which keeps its case
      .map((ranking) => `${describeRanking(ranking).replace(/^nothing/, "Nothing")}.`);
    const rows = items.map((item): DotRow => ({
      name: `${rankOf(item, report)}${item.result.variant}`,
      value: item.ratio,
      confidenceInterval: item.confidenceInterval,
      color: colorOf(servers.indexOf(item.result.variant)),
      text: textOf(item, metric),
      server: item.result.variant,
    }));
    const what = metric === "requestsPerS" ? "Rate" : "CPU time per response";
    return {
      scenario,
      title: named(baselineRatios),
      sentence: sentences.length === 0 ? about(items, report) : sentences.join(" "),
      plot: { rows, label: `${what} at ${scenario}, relative to ${base}` },
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

/** Returns the rank, with `=` if several servers of a worker group share it. */
function rankOf({ result }: BaselineRatios["items"][number], report: Report): string {
  if (result.rank === null) return "";
  return sharesRank(report, result) ? `${result.rank}= ` : `${result.rank}. `;
}

function textOf(
  { ratio, confidenceInterval }: BaselineRatios["items"][number],
  metric: BaselineRatios["metric"],
): string {
  const width = confidenceInterval &&
    spread({ median: ratio, confidenceInterval: { ...confidenceInterval, coverage: 0 } });
  const figure = `${multiple(ratio)}${metric === "requestsPerS" ? " x" : ""}`;
  if (width === null || width === UNKNOWN) return figure;
  // Both sides have their own signs
  return width.startsWith("-") ? `${figure} ${width}` : `${figure} ± ${width}`;
}

/** Returns a sentence with the figures of the only server, or why servers were not compared. */
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
  const all = baselineRatiosOf(report);
  const bases = all.filter(({ metric }) => metric === "serverCpuUs").map(({ base }) => base);
  const reference = report.experiment.reference?.label;
  const sentences: string[] = [];
  if (bases.length > 0) {
    const to = bases.every((base) => base === reference)
      ? `${reference} (Rel. CPU, dashed line)`
      : bases.some((base) => base === reference)
      ? `${reference} (Rel. CPU), or to the best server (dashed line)`
      : "the best server (dashed line)";
    sentences.push(`CPU time per response, relative to ${to}; less is better.`);
  }
  if (all.some(({ metric }) => metric === "requestsPerS")) {
    sentences.push("With x: rate relative to the best server (dashed line): more is better.");
  }
  sentences.push("Lines and brackets: 95 % confidence intervals.");
  if (report.experiment.variants.length > 1) sentences.push("=: shared rank.");
  return sentences.join(" ");
}

const COLORS: Readonly<Record<Change["verdict"], string>> = {
  slower: "var(--worse)",
  faster: "var(--better)",
  same: "var(--faint)",
  incomparable: "var(--faint)",
};

/** Legend of the dots and lines of changes. */
export const CHANGES_LEGEND =
  `Dots: head over base, the paired median; lines: 95 % confidence intervals. Less is better for ${
    headings(false)
  }; more is better for ${headings(true)}.`;

/** Returns the headings of the metrics of which more, or less, is better: `CPU/req and p50`. */
function headings(isMore: boolean): string {
  const metrics = CHANGE_METRICS.filter((metric) => isMoreBetter(metric) === isMore);
  return enumerated(metrics.map((metric) => FIGURES[metric].column.heading));
}

/**
 * Returns a plot of every change with its interval, around a line for "no change".
 *
 * @param report the run of `versus`, for the points of its rounds; null if two reports are compared
 */
export function plotOfChanges({ changes }: Changes, report: Report | null): DotPlot {
  const named = namer(changes);
  const rows = changes.flatMap((change): DotRow[] => {
    const { ratio, confidenceInterval, metric, variant, verdict } = change;
    return ratio === null ? [] : [{
      name: `${named(change)} ${FIGURES[metric].column.heading}`,
      value: ratio,
      confidenceInterval,
      color: COLORS[verdict],
      text: percent(ratio),
      server: variant,
      points: report === null ? [] : roundRatios(report, change),
    }];
  });
  return { rows, label: "Each metric of head relative to base", isClose: true };
}

/** Width of the plot of changes on wide screens, in units of the picture. */
const WIDE = 1000;

/** Returns the verdict and the plot, in a wide and a narrow version. */
export function changesPlot(changes: Changes, report: Report | null): Markup {
  const verdict = markup`<p class="verdict">${changesVerdict(changes)}</p>
`;
  const plot = plotOfChanges(changes, report);
  if (plot.rows.length === 0) return verdict;
  const points = report === null ? "" : " Small points: rounds; rings: rounds beyond the axis.";
  return markup`${verdict}<div class="narrow">${dotPlot(plot)}</div><div class="wide">${
    dotPlot({ ...plot, width: WIDE })
  }</div>
<p class="legend">${CHANGES_LEGEND}${points}</p>`;
}
