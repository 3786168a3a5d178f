import type { ResultKey } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";
import { isSameWorkload, workloadOf } from "./workloads.ts";

/** The result that a trial belongs to. */
export function resultKeyOf({ variant, scenario, load, workloadConnections }: Trial): ResultKey {
  return {
    variant,
    scenario,
    connections: workloadConnections ?? load.connections,
    perS: load.open?.perS ?? null,
  };
}

/** The key of something that is of one result. */
export function keyOf({ variant, ...of }: ResultKey): ResultKey {
  return { variant, ...workloadOf(of) };
}

/** Whether both are the same server at the same workload. */
export function isSameResult(a: ResultKey, b: ResultKey): boolean {
  return a.variant === b.variant && isSameWorkload(a, b);
}
