import type { CellKey } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";
import { isSameTask, taskOf } from "./tasks.ts";

/** The cell that a trial belongs to. */
export function cellKeyOf({ arm, scenario, load, cellConnections }: Trial): CellKey {
  return {
    arm,
    scenario,
    connections: cellConnections ?? load.connections,
    perS: load.open?.perS ?? null,
  };
}

/** The key of something that is of one cell. */
export function keyOf({ arm, ...of }: CellKey): CellKey {
  return { arm, ...taskOf(of) };
}

/** Whether both are the same server at the same task. */
export function isSameCell(a: CellKey, b: CellKey): boolean {
  return a.arm === b.arm && isSameTask(a, b);
}
