/** Compares the costs of variants in their common rounds. */
import {
  COST_IDS,
  type CostGroup,
  type CostId,
  type CostRecord,
  COSTS,
  type Thresholds,
} from "../model/costs.ts";
import { type AnyChange, type CostChange, isOfResponses } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { typical } from "../stats/median.ts";
import { type UndecidedChange, UNTESTED } from "./changes.ts";

/**
 * Returns the changes of costs from base to head, to be tested together with all others. A group that
 * could not be measured at all is left out. One that is missing at a scenario has the reason.
 */
export function undecidedCosts(
  { costs = [], costAbsences = [] }: Partial<Pick<Report, "costs" | "costAbsences">>,
  pair: readonly [base: string, head: string],
): UndecidedChange<CostChange>[] {
  const absences = costAbsences.filter(({ round }) => round === null);
  const known = [...costs, ...absences].map(({ scenario }) => scenario);
  return [...new Set(known)].flatMap((scenario) => {
    const own = costs.filter((one) => one.scenario === scenario);
    return COST_IDS.flatMap((metric): UndecidedChange<CostChange>[] => {
      const absent = absences.find((one) =>
        one.scenario === scenario && one.group === COSTS[metric].group
      );
      const records = own.filter(({ cost }) => cost === metric);
      if (absent === undefined) return undecidedCost(records, pair);
      if (scenario === null) return [];
      const late = lateRoundsOf(records).size;
      const change = blank(pair[1], metric, { scenario, perS: own[0]?.perS ?? null, late });
      const reasons = [absent.reason];
      return [{ change: { ...change, verdict: "incomparable", reasons }, base: [], head: [] }];
    });
  });
}

/** Returns the change of one cost at one scenario; none without a common round. */
function undecidedCost(
  records: readonly CostRecord[],
  [base, head]: readonly [string, string],
): UndecidedChange<CostChange>[] {
  const [first] = records;
  if (first === undefined) return [];
  const { cost, scenario, perS } = first;
  const { least, floor } = COSTS[cost];
  const late = lateRoundsOf(records);
  const of = (variant: string): Map<number, number> =>
    new Map(
      records.filter((one) => one.variant === variant && !late.has(one.round))
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
    ...blank(head, cost, { scenario, perS, late: late.size }),
    base: usual,
    head: typical(b, (value) => value),
    baseRounds: rounds.length,
    headRounds: rounds.length,
    // A smaller difference may come from the resolution
    floor: Math.max(floor, least / (usual ?? least)),
  };
  return [{ change, base: a, head: b }];
}

/** Returns the rounds in which the load generator was late at one of the servers. */
function lateRoundsOf(records: readonly CostRecord[]): ReadonlySet<number> {
  return new Set(records.filter(({ isLate }) => isLate).map(({ round }) => round));
}

function blank(
  variant: string,
  metric: CostId,
  { late, ...load }: Pick<CostRecord, "scenario" | "perS"> & { readonly late: number },
): CostChange {
  return { variant, metric, ...load, ...UNTESTED, lateRounds: late };
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
