/** What a page says first: who is best at what, and how sure that is. */
import { isSameTask } from "../../analysis/cell_key.ts";
import { type Relative, type Relatives, relativesOf } from "../../analysis/relatives.ts";
import { standingsOf } from "../../analysis/standings.ts";
import type { Report } from "../../model/report.ts";
import { multiple, rate, spread, UNKNOWN } from "../format.ts";
import { describeStanding } from "../standings.ts";
import { dotPlot, type DotRow } from "./dots.ts";
import { colorOf } from "./item.ts";
import { type Markup, markup } from "./markup.ts";

/** A card for each task: the sentence of what is proven, and all servers beside the reference. */
export function answers(report: Report, servers: readonly string[]): Markup {
  const standings = standingsOf(report);
  const isSweep = (report.experiment.load.connections?.length ?? 0) > 1;
  const cards = relativesOf(report).map((relatives) => {
    const { scenario, connections } = relatives;
    const own = standings.filter((standing) => isSameTask(standing, relatives));
    const sentences = own.map((standing) => `${capital(describeStanding(standing))}.`);
    return markup`<div class="answer" data-scenario="${scenario}"><h3>${
      isSweep ? `${scenario}, ${connections} connections` : scenario
    }</h3><p>${sentences.length === 0 ? about(relatives) : sentences.join(" ")}</p>${
      plot(relatives, servers)
    }</div>`;
  });
  return markup`<div class="answers">${cards}</div>
<p class="legend">${legend(report)}</p>`;
}

function plot(relatives: Relatives, servers: readonly string[]): Markup {
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
  return dotPlot({
    rows,
    base: 1,
    label: `${what} at ${scenario}, as a multiple of that of ${base}`,
  });
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
function legend(report: Report): string {
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
