import type { ServerSummary } from "../model/derived.ts";
import type { Variant } from "../model/experiment.ts";
import type { LaunchRecord } from "../model/raw.ts";
import type { Server } from "../model/server.ts";
import { estimate, typical } from "./estimate_rounds.ts";

/** A requested variant, and whether this machine can run it. If possible, its server was built already. */
export interface Available {
  readonly variant: Variant;
  /** The tools that are missing on this machine, as text; null if none is missing. */
  readonly skipped: string | null;
  /** Why the build failed; null if it did not. */
  readonly failure: string | null;
}

/** Returns the number of processes or scheduler threads of a server. Null means that the server chooses. */
export function workersOf({ workers }: Server, env: Variant["env"]): number | null {
  if (workers === "unlimited") return null;
  return workers === "one" ? 1 : Number(env.WORKERS ?? 1);
}

/** Summarises the server of every variant, with its start-up times. */
export function summariseServers(
  variants: readonly Available[],
  launches: readonly LaunchRecord[],
): ServerSummary[] {
  return variants.map(({ variant, skipped, failure }) => {
    const { id, label, server, env } = variant;
    const { language, framework, basedOn, approach, why, scenarios } = server;
    const own = launches.filter((launch) => launch.variant === id);
    const known = own.flatMap(({ round, startUpS }) =>
      startUpS === null ? [] : [{ round, value: startUpS }]
    );
    const shaken = own.flatMap(({ round, handshakes }) =>
      handshakes === null ? [] : [{ round, value: handshakes.p50Us }]
    );
    return {
      id,
      name: label,
      language,
      framework,
      // Variants with other ids than their servers have no base.
      basedOn: id === server.id ? basedOn : null,
      approach,
      why,
      scenarios,
      skipped,
      failure,
      workers: workersOf(server, env),
      startUpS: known.length === 0 ? null : estimate(known),
      idleRssBytes: typical(own, ({ idleRssBytes }) => idleRssBytes),
      handshakeUs: shaken.length === 0 ? null : estimate(shaken),
      handshakeCpuUs: typical(own, ({ handshakes }) => handshakes?.serverCpuUs ?? null),
    };
  });
}
