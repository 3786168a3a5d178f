import type { Change } from "../../src/model/derived.ts";
import type { Report } from "../../src/model/report.ts";

/** Prints a line. */
export function say(text: string): void {
  // deno-lint-ignore no-console -- the script's own output
  console.log(text);
}

/** Formats a ratio as a change: `-0.25 %`. */
export function percent(ratio: number | null): string {
  return `${(100 * ((ratio ?? NaN) - 1)).toFixed(2)} %`;
}

/** Returns the changes in a report of `versus`. */
export function changesOf({ changes }: Report): readonly Change[] {
  return changes?.changes ?? [];
}

/** Formats a change with its interval and verdict. */
export function describe({ scenario, metric, ratio, confidenceInterval, verdict }: Change): string {
  const ends = confidenceInterval &&
    `${percent(confidenceInterval.low)} to ${percent(confidenceInterval.high)}`;
  return `${scenario} ${metric} ${percent(ratio)} (${ends}) ${verdict}`;
}

/** Returns the length of a run, in seconds and rounds. */
export function lengthOf({ tookS, blocks }: Report): string {
  return `${Math.round(tookS)} s, ${Math.max(...blocks.map(({ block }) => block.round))} rounds`;
}
