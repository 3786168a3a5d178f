import type { CellKey } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";

/** The cell that a trial belongs to. */
export function cellKeyOf({ target, scenario, load }: Trial): CellKey {
  return { target, scenario, connections: load.connections };
}

/** Whether both are the same server at the same task. */
export function isSameCell(a: CellKey, b: CellKey): boolean {
  return a.target === b.target && isSameTask(a, b);
}

/** Whether both are the same scenario under the same number of connections. */
export function isSameTask(
  a: Omit<CellKey, "target">,
  b: Omit<CellKey, "target">,
): boolean {
  return a.scenario === b.scenario && a.connections === b.connections;
}
