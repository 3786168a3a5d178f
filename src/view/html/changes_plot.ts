/**
 * Draws changes as dots around a line for "no change". Makes the HTML page of a comparison.
 */

import { roundRatios } from "../../analysis/variant_changes.ts";
import type { Change, Changes } from "../../model/derived.ts";
import { CHANGE_METRICS, FIGURES, isMoreBetter } from "../../model/figures.ts";
import type { Report } from "../../model/report.ts";
import type { ChangesNotes } from "../changes_text.ts";
import { changesTitle, changesVerdict, namer } from "../changes_verdict.ts";
import { enumerated } from "../ranking_text.ts";
import { changesNotes, changesTable, percent } from "../tables/changes_table.ts";
import { summaryTable } from "../tables/result_columns.ts";
import { documentOf, facts } from "./document.ts";
import { type DotPlot, dotPlot, type DotRow } from "./dots.ts";
import { htmlTable } from "./html_table.ts";
import { type Markup, markup } from "./markup.ts";

const COLORS: Readonly<Record<Change["verdict"], string>> = {
  slower: "var(--worse)",
  faster: "var(--better)",
  same: "var(--faint)",
  incomparable: "var(--faint)",
};

/** Legend of the dots and lines. */
export const CHANGES_LEGEND =
  `Dots: head over base, the paired median; lines: 95 % confidence intervals. Less is better for ${
    headings(false)
  }; more is better for ${headings(true)}.`;
const POINTS_LEGEND = " Small points: rounds; rings: rounds beyond the axis.";
/** Width of the plot on wide screens, in units of the picture. */
const WIDE = 1000;

/**
 * Returns a plot of every change with its interval.
 *
 * @param report the run of `versus`, for the points of its rounds; null if two reports are compared
 */
export function plotOfChanges(
  { changes }: Pick<Changes, "changes">,
  report: Report | null,
): DotPlot {
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
  const label = "Each metric of head relative to base";
  return { rows, base: 1, label, isClose: true, format: shortPercent };
}

/** Formats a change for the axis: `+10 %`, `−0.5 %`, `0`. */
function shortPercent(ratio: number): string {
  const change = Number((100 * (ratio - 1)).toPrecision(3));
  return change === 0 ? "0" : `${change < 0 ? "−" : "+"}${Math.abs(change)} %`;
}

/** Returns the verdict and the plot, in a wide and a narrow version. */
export function changesPlot(changes: Changes, report: Report | null): Markup {
  const plot = plotOfChanges(changes, report);
  return markup`<p class="verdict">${changesVerdict(changes)}</p>
${
    plot.rows.length === 0
      ? null
      : markup`<div class="narrow">${dotPlot(plot)}</div><div class="wide">${
        dotPlot({ ...plot, width: WIDE })
      }</div>
<p class="legend">${CHANGES_LEGEND}${report === null ? null : POINTS_LEGEND}</p>`
  }`;
}

/** Returns the headings of the metrics of which more, or less, is better: `CPU/req, Rel. CPU and p50`. */
function headings(isMore: boolean): string {
  const metrics = CHANGE_METRICS.filter((metric) => isMoreBetter(metric) === isMore);
  return enumerated(metrics.map((metric) => FIGURES[metric].column.heading));
}

/** A compared report with its name. */
interface ComparedReport {
  readonly name: string;
  readonly report: Report;
}

/** Returns the page of two compared reports: the changes, then every figure of both. */
export async function comparePage(
  base: ComparedReport,
  head: ComparedReport,
  changes: Changes,
  { gate, notes }: ChangesNotes,
): Promise<string> {
  const allNotes = [...gate, ...changesNotes(changes), ...notes];
  return await documentOf({
    description: changesVerdict(changes),
    title: changesTitle(changes, { base: base.name, head: head.name }),
    servers: 0,
    header: markup`<p class="facts">base: ${facts(base.report)}</p>
<p class="facts">head: ${facts(head.report)}</p>`,
    main: markup`<section id="overview"><h2>Changes</h2>
${changesPlot(changes, null)}
${htmlTable(changesTable(changes), { caption: "Changes from base to head", sorts: true })}
<ul class="notes">${allNotes.map((text) => markup`<li>${text}</li>`)}</ul></section>
${sectionOf("Base", base)}
${sectionOf("Head", head)}`,
    footer: `Made by Stampede ${head.report.versions.stampede ?? ""} from two reports.`,
  });
}

function sectionOf(heading: string, { name, report }: ComparedReport): Markup {
  return markup`<section><h2>${heading}: ${name}</h2>
${htmlTable(summaryTable(report, true), { caption: `${heading}: every figure`, sorts: true })}
</section>`;
}
