/** Draws the figures of releases, each relative to the first release. */
import { byWorkload, isSameWorkload } from "../../analysis/keys.ts";
import { slicesRatio } from "../../analysis/slice_ratios.ts";
import type { Result } from "../../model/derived.ts";
import type { Metric } from "../../model/figures.ts";
import type { Report } from "../../model/report.ts";
import { percent } from "../tables/changes_table.ts";
import { changesVerdict } from "../tables/changes_verdict.ts";
import { workloadNamer } from "../format.ts";
import { type DotPlot, dotPlot } from "./dots.ts";
import { colorOf, type Markup, markup } from "./markup.ts";

type Row = Pick<DotPlot["rows"][number], "ratio" | "confidenceInterval">;
/** Returns a release relative to the first one; null if either is unknown. */
type Ratio = (variant: string) => Row | null;

/** Returns a chart of each figure by release, for every workload. */
export function releaseCharts(report: Report, servers: readonly string[]): Markup {
  const { experiment: { variants }, results, blocks, changes, servers: started } = report;
  const [first] = variants;
  const named = workloadNamer(results);
  const cards = byWorkload(results).flatMap(([workload], i) => {
    const sliced = (metric: Metric): Ratio => (a) => {
      const ratio = slicesRatio(blocks, { ...workload, a, b: first?.id ?? "", metric });
      return ratio && { ...ratio, ratio: ratio.estimate };
    };
    const resultOf = (id: string): Result | undefined =>
      results.find((one) => one.variant === id && isSameWorkload(one, workload));
    const startedOf = (id: string) => started.find((one) => one.id === id);
    const ratioOf = (figure: (id: string) => number | null | undefined): Ratio => (id) => {
      const [base, own] = [figure(first?.id ?? ""), figure(id)];
      return base && own ? { ratio: own / base, confidenceInterval: null } : null;
    };
    const figures: Readonly<Record<string, Ratio>> = {
      "CPU/req": sliced("serverCpuUs"),
      "Req/Sec": sliced("requestsPerS"),
      p99: ratioOf((id) => resultOf(id)?.p99Us),
      "Peak RSS": ratioOf((id) => resultOf(id)?.peakRssBytes),
      // The same at every workload
      ...(i === 0 && {
        "Start-up": ratioOf((id) => startedOf(id)?.startUpS?.median),
        "Idle RSS": ratioOf((id) => startedOf(id)?.idleRssBytes),
      }),
    };
    return Object.entries(figures).map(([heading, ratio]) => {
      const rows = variants.flatMap(({ id, label }): DotPlot["rows"] => {
        const row = ratio(id);
        return row === null ? [] : [{
          ...row,
          name: label,
          color: colorOf(servers.indexOf(id)),
          text: id === first?.id ? "first" : percent(row.ratio),
          server: id,
        }];
      });
      const label = `${heading} at ${named(workload)}, relative to ${first?.label}`;
      return rows.length > 1 && markup`<div class="card" data-scenario="${workload.scenario}">
<h3>${heading} at ${named(workload)}</h3>${dotPlot({ rows, label, isClose: true })}</div>`;
    });
  });
  return markup`${changes && markup`<p class="verdict">${changesVerdict(changes)}</p>`}
<div class="cards">${cards}</div>
<p class="legend">Each release relative to ${first?.label}. CPU/req and Req/Sec: paired over the rounds, with 95 % confidence intervals; the other figures: medians of windows. More is better for Req/Sec, less for the others.</p>`;
}
