import type { BucketTime, Distributed, DistributedScenario } from "../model/distributed.ts";

/** What two merged loads have in common, by its name. */
export const FIGURES = ["goodputPerS", "p50", "p90", "p99", "p999"] as const;
export type Figure = typeof FIGURES[number];

/** A figure of two merged loads; null: one of them does not know it. */
export interface MergedChange {
  readonly scenario: string;
  readonly figure: Figure;
  /** Answers a second, or microseconds. */
  readonly base: number;
  readonly head: number;
  /** Head by base: what is known of it. Rates are counted; of times only the buckets are known. */
  readonly ratio: { readonly low: number; readonly value: number; readonly high: number | null };
}

/** What changed between two merged loads, scenario by scenario, where both know it. */
export function changesOfMerged(base: Distributed, head: Distributed): MergedChange[] {
  return head.scenarios.flatMap((after) => {
    const before = base.scenarios.find(({ scenario }) => scenario === after.scenario);
    if (before === undefined) return [];
    return FIGURES.flatMap((figure) => changeOf(figure, before, after) ?? []);
  });
}

function changeOf(
  figure: Figure,
  before: DistributedScenario,
  after: DistributedScenario,
): MergedChange | null {
  const [base, head] = [rangeOf(before[figure]), rangeOf(after[figure])];
  if (base === null || head === null || base.low === 0) return null;
  return {
    scenario: after.scenario,
    figure,
    base: base.value,
    head: head.value,
    ratio: {
      low: base.high === null ? 0 : head.low / base.high,
      value: head.value / base.value,
      high: head.high === null ? null : head.high / base.low,
    },
  };
}

function rangeOf(
  figure: number | BucketTime | null,
): { low: number; value: number; high: number | null } | null {
  if (figure === null) return null;
  if (typeof figure === "number") return { low: figure, value: figure, high: figure };
  return { low: figure.lowUs, value: figure.us, high: figure.highUs };
}
