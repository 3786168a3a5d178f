/** Changes as dots around where nothing changed. */
import type { Change, Changes } from "../../model/derived.ts";
import { FIGURES, percent } from "../tables/changes.ts";
import { changesVerdict, namer } from "../verdicts.ts";
import { type DotPlot, dotPlot, type DotRow } from "./dots.ts";
import { type Markup, markup } from "./markup.ts";

const COLORS: Readonly<Record<Change["verdict"], string>> = {
  slower: "var(--worse)",
  faster: "var(--better)",
  same: "var(--faint)",
  incomparable: "var(--faint)",
};

/** What the dots and lines are. */
export const CHANGES_LEGEND =
  "Dots: head over base, the paired median; lines: 95 % intervals. Less is better of CPU/req, p50 and Cost, more of Req/Sec.";

/** Every change with its interval. */
export function plotOfChanges({ changes }: Pick<Changes, "changes">): DotPlot {
  const named = namer(changes);
  const rows = changes.flatMap((change): DotRow[] => {
    const { ratio, interval, metric, arm, verdict } = change;
    return ratio === null ? [] : [{
      name: `${named(change)} ${FIGURES[metric].heading}`,
      value: ratio,
      interval,
      color: COLORS[verdict],
      text: percent(ratio),
      server: arm,
    }];
  });
  const label = "Each figure of head over that of base";
  return { rows, base: 1, label, isClose: true, format: percent };
}

/** The verdict, and the plot. */
export function changesPlot(changes: Changes): Markup {
  const plot = plotOfChanges(changes);
  return markup`<p class="verdict">${changesVerdict(changes)}</p>
${
    plot.rows.length === 0
      ? null
      : markup`<div class="answers"><div class="answer">${dotPlot(plot)}</div></div>
<p class="legend">${CHANGES_LEGEND}</p>`
  }`;
}
