import {
  type BucketTime,
  type DistributedScenario,
  MERGED_FIGURES,
  type MergedChange,
  type MergedFigure,
} from "../model/distributed.ts";
import type { DistributedReport } from "../model/report.ts";

/** Returns the changes between two merged loads in all scenarios that both have. */
export function changesOfMerged(base: DistributedReport, head: DistributedReport): MergedChange[] {
  return head.scenarios.flatMap((after) => {
    const before = base.scenarios.find(({ scenario }) => scenario === after.scenario);
    if (before === undefined) return [];
    return MERGED_FIGURES.flatMap((figure) => changeOf(figure, before, after) ?? []);
  });
}

function changeOf(
  figure: MergedFigure,
  before: DistributedScenario,
  after: DistributedScenario,
): MergedChange | null {
  const [base, head] = [spanOf(before[figure]), spanOf(after[figure])];
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

function spanOf(
  figure: number | BucketTime | null,
): { low: number; value: number; high: number | null } | null {
  if (figure === null) return null;
  if (typeof figure === "number") return { low: figure, value: figure, high: figure };
  return { low: figure.lowUs, value: figure.us, high: figure.highUs };
}
