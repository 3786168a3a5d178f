/** Words the result of --fail-on. */
import { isInconclusive, isRegression } from "../analysis/changes.ts";
import { groupOf } from "../analysis/cost_changes.ts";
import { COST_GROUPS, type Thresholds } from "../model/costs.ts";
import type { Change, Changes, CostChange } from "../model/derived.ts";
import { nonEmpty, share } from "../model/text.ts";
import { distinct } from "./format.ts";
import { nameOf } from "./tables/changes_table.ts";

/** The options --fail-on and --strict. */
export interface Gate extends Thresholds {
  /** Whether a regression beyond the threshold fails even if it is neither proven nor excluded. */
  readonly strict: boolean;
}

/** Returns the result of --fail-on, in sentences; empty without --fail-on. */
export function gateNotes(
  { changes, costs = [] }: Pick<Changes, "changes"> & Partial<Pick<Changes, "costs">>,
  gate: Gate,
): string[] {
  return [...speedNotes(changes, gate), ...costNotes(costs, gate)];
}

function costNotes(costs: readonly CostChange[], gate: Gate): string[] {
  const notes = COST_GROUPS.flatMap((group): string[] => {
    const limit = gate.costs[group];
    if (limit === undefined) return [];
    const own = costs.filter((change) => groupOf(change) === group);
    if (own.length === 0) return [`Nothing of ${group} was measured, so nothing is known of it.`];
    const named = (which: (change: CostChange) => boolean): string =>
      own.filter(which).map(nameOf).join(", ");
    const regressed = named((change) => isRegression(change, limit));
    const open = named((change) => isInconclusive(change, limit));
    const fails = gate.strict ? " (--strict fails)" : "";
    return nonEmpty(
      regressed === ""
        ? `Nothing of ${group} is proven to be more than ${share(limit)} higher.`
        : `Proven to be more than ${share(limit)} higher: ${regressed}.`,
      open !== "" &&
        `More than ${share(limit)} is neither proven nor excluded: ${open}${fails}.`,
    );
  });
  return notes;
}

function speedNotes(changes: readonly Change[], { speed: failOn, strict }: Gate): string[] {
  if (failOn === null) return [];
  const named = (which: (change: Change) => boolean): string =>
    distinct(changes.filter(which).map(({ variant, scenario }) => `${scenario} of ${variant}`))
      .join(", ");
  const broken = named(({ isBroken }) => isBroken);
  const regressed = named((change) => !change.isBroken && isRegression(change, failOn));
  const vanished = named(({ isConfirmed }) => isConfirmed === false);
  const open = named((change) => isInconclusive(change, failOn));
  const limit = share(failOn);
  const fails = strict ? " (--strict fails)" : "";
  return nonEmpty(
    broken !== "" && `Broken in head, but not in base: ${broken}.`,
    regressed === ""
      ? `No slowdown is proven to exceed ${limit}.`
      : `Proven to be more than ${limit} slower: ${regressed}.`,
    vanished !== "" && `More than ${limit} slower at first, but not in fresh rounds: ${vanished}.`,
    open !== "" &&
      `A slowdown of more than ${limit} is neither proven nor excluded: ${open}${fails}.`,
  );
}
