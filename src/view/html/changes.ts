/** Changes as dots around where nothing changed. */
import type { Change, Changes } from "../../model/derived.ts";
import { FIGURES, percent } from "../tables/changes.ts";
import { changesVerdict } from "../verdicts.ts";
import { dotPlot, type DotRow } from "./dots.ts";
import { type Markup, markup } from "./markup.ts";

const COLORS: Readonly<Record<Change["verdict"], string>> = {
  slower: "var(--worse)",
  faster: "var(--better)",
  same: "var(--faint)",
  incomparable: "var(--faint)",
};

/** The verdict, and every change with its interval. */
export function changesPlot(changes: Changes): Markup {
  const rows = changes.changes.flatMap((change): DotRow[] => {
    const { ratio, interval, metric, scenario, arm, verdict } = change;
    return ratio === null ? [] : [{
      name: `${scenario} ${FIGURES[metric].heading}`,
      value: ratio,
      interval,
      color: COLORS[verdict],
      text: percent(ratio),
      server: arm,
    }];
  });
  return markup`<p class="verdict">${changesVerdict(changes)}</p>
${
    rows.length === 0 ? null : markup`<div class="answers"><div class="answer">${
      dotPlot({
        rows,
        base: 1,
        label: "Each figure of head over that of base",
        isClose: true,
        format: percent,
      })
    }</div></div>
<p class="legend">Dots: head over base, the paired median; lines: 95 % intervals. Less is better of CPU/req, p50 and Cost, more of Req/Sec.</p>`
  }`;
}
