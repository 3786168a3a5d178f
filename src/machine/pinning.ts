import type { Pinning } from "../model/report.ts";
import type { CoreTopology, MachineFacts } from "./facts.ts";
import { parseCpuList } from "./quota.ts";

/**
 * Assigns physical cores to server, database and generator, or returns the reason why they cannot
 * be separated. The logical CPUs of a core stay together.
 *
 * Server and database get one core each. With six cores or more, they get a third each, rounded
 * down. The generator gets the rest, never fewer than the server, so that it is not the bottleneck.
 * The server gets the same number with and without a database, so that both kinds of run are
 * comparable.
 */
export function planPinning(
  { os, cores, tools }: Pick<MachineFacts, "os" | "cores" | "tools">,
  parts: { readonly database: boolean },
): Pinning | { readonly reason: string } {
  if (os !== "linux") return { reason: `--pin needs Linux; this is ${os}` };
  if (!tools.taskset) {
    return { reason: "--pin needs taskset of util-linux, which is not on the PATH" };
  }
  if (cores === null) return { reason: "--pin needs to know the cores, which this system hides" };
  const [needed, names] = parts.database
    ? [3, "server, database and load generator"]
    : [2, "server and load generator"];
  if (cores.length < needed) {
    return { reason: `--pin needs ${needed} cores for ${names}; this machine has ${cores.length}` };
  }
  const share = cores.length < 6 ? 1 : Math.floor(cores.length / 3);
  const taken = parts.database ? 2 * share : share;
  const cpus = (from: number, to?: number): number[] =>
    cores.slice(from, to).flat().sort((a, b) => a - b);
  return {
    server: cpus(0, share),
    database: parts.database ? cpus(share, taken) : null,
    generator: cpus(taken),
  };
}

/**
 * Groups logical CPUs by physical core, in the order of the cores' first CPUs.
 * https://docs.kernel.org/admin-guide/cputopology.html
 *
 * @param allowed the logical CPUs that may be used
 * @param siblings the `thread_siblings_list` of each of them, in the same order
 * @returns the cores, and whether one has several CPUs; null if the siblings of a CPU are unknown.
 */
export function groupCores(
  allowed: readonly number[],
  siblings: readonly (string | null)[],
): { cores: CoreTopology; smt: boolean } | null {
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
