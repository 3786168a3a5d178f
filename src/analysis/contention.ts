/** Finds results that cannot be compared, because other programs used much CPU time. */
import type { MachineEvidence, Reason, ResultKey } from "../model/derived.ts";
import type { Usage } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { isSameResult } from "./result_key.ts";
import { machineOf } from "./evidence.ts";
import { isSameWorkload } from "./workloads.ts";

/**
 * Maximum share of CPU time that other programs and virtual machines may use in a comparable result. On a
 * machine with two cores, 0.25 is half a core, as for the bottleneck `machine`. Above it, relative CPU of the
 * same code differs by far more than its confidence intervals.
 */
const CONTENDED = 0.25;

/**
 * Returns why a result cannot be compared with another run: other programs used too much CPU time. Empty if
 * they did not.
 */
export function contention(report: Report, where: string, key: ResultKey): Reason[] {
  const { cores } = report.host;
  const machine = stateOf(report, key);
  if (machine === null) return [];
  const { otherCores, steal } = machine;
  if (otherCores / cores + steal < CONTENDED) return [];
  return [{ kind: "contended", where, otherCores, steal, cores }];
}

/**
 * Returns the state of the machine while a result was measured: during its slices if there are any, else
 * during its windows. Null if unknown.
 */
function stateOf({ host, blocks, results }: Report, key: ResultKey): MachineEvidence | null {
  const own = results.find((result) => isSameResult(result, key));
  const byWindows = own?.bottleneck?.evidence.machine ?? null;
  // With a CPU quota, idle time does not show the use of other programs; windows do not either.
  const isKnown = byWindows !== null || !own?.bottleneck;
  const usages = blocks.flatMap(({ block, slices }): Usage[] =>
    isSameWorkload(block, key) && block.variants.includes(key.variant) && slices?.usage
      ? [slices.usage]
      : []
  );
  return (isKnown ? machineOf(usages, host.cores) : null) ?? byWindows;
}
