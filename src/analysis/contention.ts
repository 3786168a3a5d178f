/** The state of a machine while a result was measured: who else used its processors. */
import type { MachineEvidence, Reason, ResultKey } from "../model/derived.ts";
import type { Usage } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { isSameResult } from "./result_key.ts";
import { machineOf } from "./evidence.ts";
import { isSameWorkload } from "./workloads.ts";

/**
 * The share of the processors that others may use, other programs and other virtual machines together, before
 * what was measured meanwhile is compared with no other run. Half a core of two, as for the bottleneck `machine`:
 * costs of the same code then differ by far more than their intervals.
 */
const CONTENDED = 0.25;

/** Returns why nothing of a result can be compared with another run, if others used the machine; else nothing. */
export function contention(report: Report, where: string, key: ResultKey): Reason[] {
  const { cores } = report.host;
  const machine = stateOf(report, key);
  if (machine === null) return [];
  const { otherCores, steal } = machine;
  if (otherCores / cores + steal < CONTENDED) return [];
  return [{ kind: "contended", where, otherCores, steal, cores }];
}

/** Returns what others used while a result was measured, by its slices if there are any; null if unknown. */
function stateOf({ host, blocks, results }: Report, key: ResultKey): MachineEvidence | null {
  const own = results.find((result) => isSameResult(result, key));
  const byWindows = own?.bottleneck?.evidence.machine ?? null;
  // With a quota, idle time does not show what other programs use, and neither do windows
  const isKnown = byWindows !== null || !own?.bottleneck;
  const usages = blocks.flatMap(({ block, slices }): Usage[] =>
    isSameWorkload(block, key) && block.variants.includes(key.variant) && slices?.usage
      ? [slices.usage]
      : []
  );
  return (isKnown ? machineOf(usages, host.cores) : null) ?? byWindows;
}
