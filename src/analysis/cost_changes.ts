/** Compares the costs of variants in their common rounds. */
import { COST_IDS, type CostGroup, type CostId, COSTS, type Thresholds } from "../model/costs.ts";
import { type AnyChange, type CostChange, isOfResponses } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { typical } from "../stats/median.ts";
import { type UndecidedChange, UNTESTED } from "./changes.ts";

/**
 * Returns the changes of costs from base to head, to be tested together with all others. Groups that
 * could not be measured in all rounds are left out.
 */
export function undecidedCosts(
  { costs: records = [], costAbsences = [] }: Partial<Pick<Report, "costs" | "costAbsences">>,
  [base, head]: readonly [string, string],
): UndecidedChange<CostChange>[] {
  const isAbsent = (id: CostId): boolean =>
    costAbsences.some(({ group }) => group === COSTS[id].group);
  return COST_IDS.filter((id) => !isAbsent(id)).flatMap((metric): UndecidedChange<CostChange>[] => {
    const { least, floor } = COSTS[metric];
    const of = (variant: string): Map<number, number> =>
      new Map(
        records.filter((one) => one.variant === variant && one.cost === metric)
          .map(({ round, value }) => [round, Math.max(least, value)]),
      );
    const [was, is] = [of(base), of(head)];
    const rounds = [...was.keys()].filter((round) => is.has(round));
    if (rounds.length === 0) return [];
    const valuesOf = (values: ReadonlyMap<number, number>): number[] =>
      rounds.map((round) => values.get(round) ?? NaN);
    const [a, b] = [valuesOf(was), valuesOf(is)];
    const usual = typical(a, (value) => value);
    const change: CostChange = {
      variant: head,
      metric,
      ...UNTESTED,
      base: usual,
      head: typical(b, (value) => value),
      baseRounds: rounds.length,
      headRounds: rounds.length,
      // A smaller difference may come from the resolution
      floor: Math.max(floor, least / (usual ?? least)),
    };
    return [{ change, base: a, head: b }];
  });
}

/** Returns the group of a cost's change. */
export function groupOf({ metric }: Pick<CostChange, "metric">): CostGroup {
  return COSTS[metric].group;
}

/** Returns the threshold of a change, as a share; null without one. */
export function thresholdOf(
  change: AnyChange,
  { speed, costs }: Thresholds,
): number | null {
  return isOfResponses(change) ? speed : costs[groupOf(change)] ?? null;
}
