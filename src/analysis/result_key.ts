import type { ResultKey } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";
import { isSameWorkload, workloadOf } from "./workloads.ts";

/** Returns the key of the result that a trial belongs to. */
export function resultKeyOf({ variant, scenario, load, workloadConnections }: Trial): ResultKey {
  return {
    variant,
    scenario,
    connections: workloadConnections ?? load.connections,
    perS: load.open?.perS ?? null,
  };
}

/** Returns the key of a result, without its other properties. */
export function keyOf({ variant, ...of }: ResultKey): ResultKey {
  return { variant, ...workloadOf(of) };
}

/** Returns whether both keys mean the same server at the same workload. */
export function isSameResult(a: ResultKey, b: ResultKey): boolean {
  return a.variant === b.variant && isSameWorkload(a, b);
}
