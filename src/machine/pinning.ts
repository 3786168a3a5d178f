/** The processors that Stampede and its programs use. */
import type { Pinning } from "../model/report.ts";
import type { MachineFacts } from "./facts.ts";

/**
 * Assigns physical cores to server, database and generator, or returns the reason why they cannot
 * be separated. The logical CPUs of a core stay together.
 *
 * Server and database get one core each. With six cores or more, they get a third each, rounded
 * down. The generator gets the rest, never fewer than the server, so that it is not the bottleneck.
 * The server's number is the same with and without a database, so both kinds of run are comparable.
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

type Cpus = Pick<MachineFacts, "logicalCpus" | "allowedCpus" | "quota">;

/** Returns the number of cores that this process may use: a fraction if a quota limits CPU time. */
export function usableCores({ logicalCpus, allowedCpus, quota }: Cpus): number {
  const allowed = allowedCpus?.length ?? logicalCpus;
  return typeof quota?.cores === "number" ? Math.min(allowed, quota.cores) : allowed;
}

/** Returns the processors that can be kept awake: none without Linux, or if a quota would be used up. */
export function awakeCpus(facts: Cpus & Pick<MachineFacts, "os">): number[] {
  const { allowedCpus, logicalCpus, os } = facts;
  const all = allowedCpus ?? Array.from({ length: logicalCpus }, (_, i) => i);
  return os === "linux" && usableCores(facts) >= all.length ? [...all] : [];
}
