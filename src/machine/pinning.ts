import type { Pinning } from "../model/report.ts";
import type { CoreTopology, MachineFacts } from "./facts.ts";
import { parseCpuList } from "./quota.ts";

/** The processors of each component of a run, or the reason why they cannot be separated. */
export type PinPlan = Pinning | { readonly reason: string };

/** Minimum number of physical cores with which server and database get several cores each. */
const MANY_CORES = 6;

/**
 * Assigns physical cores to the components of a run, in the order server, database, generator. The logical
 * CPUs of a core stay together.
 *
 * Server and database get one core each. With six cores or more, they get a third each, rounded down. The
 * generator gets the rest, never fewer than the server, so that it is not the bottleneck. The server gets the
 * same number with and without a database, so that both kinds of run are comparable.
 */
export function planPinning(
  machine: Pick<MachineFacts, "os" | "cores" | "tools">,
  parts: { readonly database: boolean },
): PinPlan {
  const { os, cores, tools } = machine;
  if (os !== "linux") return { reason: `--pin needs Linux; this is ${os}` };
  if (!tools.taskset) {
    return { reason: "--pin needs taskset of util-linux, which is not on the PATH" };
  }
  if (cores === null) return { reason: "--pin needs to know the cores, which this system hides" };
  const needed = parts.database ? 3 : 2;
  if (cores.length < needed) {
    const names = parts.database
      ? "server, database and load generator"
      : "server and load generator";
    return {
      reason: `--pin needs ${needed} cores for ${names}; this machine has ${cores.length}`,
    };
  }
  const share = cores.length < MANY_CORES ? 1 : Math.floor(cores.length / 3);
  const taken = parts.database ? 2 * share : share;
  return {
    server: logicalCpus(cores.slice(0, share)),
    database: parts.database ? logicalCpus(cores.slice(share, taken)) : null,
    generator: logicalCpus(cores.slice(taken)),
  };
}

function logicalCpus(cores: CoreTopology): number[] {
  return cores.flat().sort((a, b) => a - b);
}

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
