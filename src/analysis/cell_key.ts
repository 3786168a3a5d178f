import type { ResultKey } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";
import { isSameWorkload, workloadOf } from "./tasks.ts";

/** The cell that a trial belongs to. */
export function resultKeyOf({ arm, scenario, load, workloadConnections }: Trial): ResultKey {
  return {
    arm,
    scenario,
    connections: workloadConnections ?? load.connections,
    perS: load.open?.perS ?? null,
  };
}

/** The key of something that is of one cell. */
export function keyOf({ arm, ...of }: ResultKey): ResultKey {
  return { arm, ...workloadOf(of) };
}

/** Whether both are the same server at the same task. */
export function isSameResult(a: ResultKey, b: ResultKey): boolean {
  return a.arm === b.arm && isSameWorkload(a, b);
}
