import type { ArmRecord } from "../model/experiment.ts";
import type { Cell } from "../model/derived.ts";
import type { Scaling } from "../model/scaling.ts";
import { isSameCell, keyOf } from "./cell_key.ts";
import { compare, type Measured } from "./comparisons.ts";
import { taskOf } from "./tasks.ts";
import type { CellContext } from "./cells.ts";

/** What more workers do for each server at each task, the fewest first. */
export function deriveScaling(
  measured: Measured,
  cells: readonly Cell[],
  arms: readonly ArmRecord[],
  { cores, queries }: CellContext,
): Scaling[] {
  const workersOf = ({ env }: ArmRecord): number => Number(env.WORKERS ?? 1);
  const sorted = arms.toSorted((a, b) => workersOf(a) - workersOf(b));
  const known = cells.filter(({ status }) => status === "ok");
  return known.flatMap((cell): Scaling[] => {
    const arm = arms.find(({ id }) => id === cell.arm);
    const base = arm &&
      sorted.find(({ id, server }) =>
        server === arm.server && known.some((one) => isSameCell(one, { ...cell, arm: id }))
      );
    if (arm === undefined || base === undefined) return [];
    const [workers, baseWorkers] = [workersOf(arm), workersOf(base)];
    const beside = (metric: "requestsPerS" | "serverCpuUs"): Scaling["rate"] =>
      arm === base ? null : compare(measured, { ...taskOf(cell), a: arm.id, b: base.id, metric });
    const rate = beside("requestsPerS");
    // Each worker, the load generator, and a database that is asked may keep one busy
    const busy = workers + 1 + ((queries.get(cell.scenario) ?? 0) > 0 ? 1 : 0);
    const isApart = cores.server < (cores.machine ?? Infinity) && cores.server >= workers;
    return [{
      ...keyOf(cell),
      server: arm.server,
      workers,
      baseWorkers,
      rate,
      cpu: beside("serverCpuUs"),
      efficiency: rate === null ? null : rate.ratio * baseWorkers / workers,
      isShared: !isApart && cores.server < busy,
    }];
  }).sort((a, b) => a.workers - b.workers);
}
