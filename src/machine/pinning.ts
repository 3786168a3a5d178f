import type { Pinning } from "../model/report.ts";
import type { CoreTopology, MachineFacts } from "./facts.ts";

/** Where the components of a run belong, or why they cannot be kept apart. */
export type PinPlan = Pinning | { readonly reason: string };

/** From so many cores on, server and database each get more than one. */
const MANY_CORES = 6;

/**
 * Gives each component of a run physical cores of its own, in the order server, database, generator; the
 * logical CPUs of one core stay together. Server and database get one core each, or from six cores
 * on a third each, rounded down. The generator gets the rest, never less than the server, so that it
 * is not what limits the rate. What the server gets does not depend on whether there is a database,
 * so that rates of both kinds of run compare.
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
      reason:
        `--pin needs ${needed} cores of its own for ${names}; this machine has ${cores.length}`,
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
