import type { CellKey } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";

/** The cell that a trial belongs to. */
export function cellKeyOf({ arm, scenario, load, cellConnections }: Trial): CellKey {
  return { arm, scenario, connections: cellConnections ?? load.connections };
}

/** Whether both are the same server at the same task. */
export function isSameCell(a: CellKey, b: CellKey): boolean {
  return a.arm === b.arm && isSameTask(a, b);
}

/** Whether both are the same scenario under the same number of connections. */
export function isSameTask(
  a: Omit<CellKey, "arm">,
  b: Omit<CellKey, "arm">,
): boolean {
  return a.scenario === b.scenario && a.connections === b.connections;
}
