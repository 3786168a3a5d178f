import type { Change } from "../../src/model/derived.ts";
import type { Report } from "../../src/model/report.ts";

/** Prints a line. */
export function say(text: string): void {
  // deno-lint-ignore no-console -- a series has nobody else to say it
  console.log(text);
}

/** A ratio as a change: `-0.25 %`. */
export function percent(ratio: number | null): string {
  return `${(100 * ((ratio ?? NaN) - 1)).toFixed(2)} %`;
}

/** What a report of `versus` has found. */
export function changesOf({ changes }: Report): readonly Change[] {
  return changes?.changes ?? [];
}

/** One change: what of, by how much, its interval, and what is proven. */
export function describe({ scenario, metric, ratio, confidenceInterval, verdict }: Change): string {
  const ends = confidenceInterval &&
    `${percent(confidenceInterval.low)} to ${percent(confidenceInterval.high)}`;
  return `${scenario} ${metric} ${percent(ratio)} (${ends}) ${verdict}`;
}

/** How long a run took, and how many rounds it had. */
export function lengthOf({ tookS, blocks }: Report): string {
  return `${Math.round(tookS)} s, ${Math.max(...blocks.map(({ block }) => block.round))} rounds`;
}
