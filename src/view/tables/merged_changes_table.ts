import type { MergedChange, MergedFigure } from "../../model/distributed.ts";
import { bareMilliseconds, rate } from "../format.ts";
import { percent } from "./changes_table.ts";
import { column, type Table } from "../table.ts";

const NAMES: Readonly<Record<MergedFigure, string>> = {
  goodputPerS: "goodput/s",
  p50: "p50 ms",
  p90: "p90 ms",
  p99: "p99 ms",
  p999: "p99.9 ms",
};

/** Notes on what a comparison of merged runners (k6 on several machines) cannot show. */
export const MERGED_NOTES = [
  "Change: from base to head. Times are known by histogram bucket; brackets show the possible range of the change.",
  "Both are single runs without rounds: a change may be noise, and nothing is proven.",
] as const;

/** Returns the table of changes between two merged loads. */
export function mergedChangesTable(changes: readonly MergedChange[]): Table {
  return {
    columns: [
      column("Scenario", false),
      column("Figure", false),
      column("Base", true),
      column("Head", true),
      column("Change", true),
    ],
    rows: changes.map(({ scenario, figure, base, head, ratio }) => {
      const show = figure === "goodputPerS" ? rate : bareMilliseconds;
      const known = figure === "goodputPerS"
        ? ""
        : ` [${percent(ratio.low)}, ${ratio.high === null ? "?" : percent(ratio.high)}]`;
      return {
        cells: [scenario, NAMES[figure], show(base), show(head), percent(ratio.value) + known],
      };
    }),
  };
}
