import { parseCpuList } from "./cpu_list.ts";
import type { CoreTopology } from "./facts.ts";

/** The physical cores, and whether one of them has several logical CPUs (`smt`). */
export interface Topology {
  readonly cores: CoreTopology;
  readonly smt: boolean;
}

/**
 * Groups logical CPUs by physical core, in the order of the cores' first CPUs.
 *
 * https://docs.kernel.org/admin-guide/cputopology.html
 *
 * @param allowed the logical CPUs that may be used
 * @param siblings the `thread_siblings_list` of each of them, in the same order
 * @returns null if the siblings of a CPU are unknown.
 */
export function groupCores(
  allowed: readonly number[],
  siblings: readonly (string | null)[],
): Topology | null {
  const cores = new Map<number, number[]>();
  let smt = false;
  for (const [i, cpu] of allowed.entries()) {
    const together = parseCpuList(siblings[i] ?? "");
    const [first] = together ?? [];
    if (together === null || first === undefined || !together.includes(cpu)) return null;
    smt ||= together.length > 1;
    cores.set(first, [...cores.get(first) ?? [], cpu]);
  }
  return { cores: [...cores.values()].sort(([a = 0], [b = 0]) => a - b), smt };
}
