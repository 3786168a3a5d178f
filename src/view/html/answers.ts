/** What a page says first: who is best at what, and how sure that is. */
import { isSameTask } from "../../analysis/cell_key.ts";
import { type Relative, type Relatives, relativesOf } from "../../analysis/relatives.ts";
import { standingsOf } from "../../analysis/standings.ts";
import type { Report } from "../../model/report.ts";
import { multiple, rate, spread, UNKNOWN } from "../format.ts";
import { describeStanding } from "../standings.ts";
import { type DotPlot, dotPlot, type DotRow } from "./dots.ts";
import { colorOf } from "./item.ts";
import { type Markup, markup } from "./markup.ts";

/** What a page says of one task. */
export interface Answer {
  readonly scenario: string;
  readonly title: string;
  readonly sentence: string;
  readonly plot: DotPlot;
}

/** For each task the sentence of what is proven, and all servers beside the reference. */
export function answersOf(report: Report, servers: readonly string[]): Answer[] {
  const standings = standingsOf(report);
  const isSweep = (report.experiment.load.connections?.length ?? 0) > 1;
  return relativesOf(report).map((relatives) => {
    const { scenario, connections } = relatives;
    const own = standings.filter((standing) => isSameTask(standing, relatives));
    const sentences = own.map((standing) => `${capital(describeStanding(standing))}.`);
    return {
      scenario,
      title: isSweep ? `${scenario}, ${connections} connections` : scenario,
      sentence: sentences.length === 0 ? about(relatives) : sentences.join(" "),
      plot: plotOf(relatives, servers),
    };
  });
}

/** A card for each answer. */
export function answers(report: Report, servers: readonly string[]): Markup {
  const cards = answersOf(report, servers).map(({ scenario, title, sentence, plot }) =>
    markup`<div class="answer" data-scenario="${scenario}"><h3>${title}</h3><p>${sentence}</p>${
      dotPlot(plot)
    }</div>`
  );
  return markup`<div class="answers">${cards}</div>
<p class="legend">${legend(report)}</p>`;
}

function plotOf(relatives: Relatives, servers: readonly string[]): DotPlot {
  const { metric, base, items, scenario } = relatives;
  const rows = items.map((item): DotRow => ({
    name: `${rankOf(item, items)}${item.cell.arm}`,
    value: item.ratio,
    interval: item.interval,
    color: colorOf(servers.indexOf(item.cell.arm)),
    text: textOf(item, relatives),
    server: item.cell.arm,
  }));
  const what = metric === "requestsPerS" ? "Rate" : "Processor time for an answer";
  return {
    rows,
    base: 1,
    label: `${what} at ${scenario}, as a multiple of that of ${base}`,
  };
}

/** The rank, marked where several share it. */
function rankOf({ cell: { rank } }: Relative, items: readonly Relative[]): string {
  if (rank === null) return "";
  const peers = items.filter(({ cell }) => cell.rank === rank);
  return peers.length > 1 ? `${rank}= ` : `${rank}. `;
}

function textOf({ ratio, interval }: Relative, { metric }: Relatives): string {
  const width = interval && spread({ median: ratio, interval: { ...interval, coverage: 0 } });
  const figure = `${multiple(ratio)}${metric === "requestsPerS" ? " x" : ""}`;
  if (width === null || width === UNKNOWN) return figure;
  // Both sides have their own signs
  return width.startsWith("-") ? `${figure} ${width}` : `${figure} ± ${width}`;
}

/** Where nothing was compared: what the server reached. */
function about({ items }: Relatives): string {
  const rates = items.map(({ cell }) => cell.requestsPerS?.median ?? null)
    .filter((rate) => rate !== null);
  const [only] = rates;
  return rates.length === 1 && only !== undefined
    ? `${rate(only)} answers a second.`
    : "Too few rounds to prove anything.";
}

/** What the pictures show. */
export function legend(report: Report): string {
  const all = relativesOf(report);
  const reference = report.experiment.reference?.label;
  const of = (metric: Relatives["metric"]): boolean =>
    all.some((one) => one.metric === metric && one.base === reference);
  return [
    ...(of("serverCpuUs")
      ? [
        `Dots: processor time for an answer, in answers of ${reference} (the dashed line); less is better.`,
      ]
      : []),
    ...(of("requestsPerS")
      ? [`With x: rate over that of ${reference} (the dashed line); more is better.`]
      : []),
    ...(all.some(({ base }) => base !== reference) ? ["Elsewhere, beside the best of them."] : []),
    "Lines: 95 % intervals. Ranks that several share (=) are ties.",
  ].join(" ");
}

function capital(sentence: string): string {
  // Ids of servers stay as they are
  return sentence.startsWith("nothing") ? `N${sentence.slice(1)}` : sentence;
}
