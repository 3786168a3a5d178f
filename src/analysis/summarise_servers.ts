import type { ServerSummary } from "../model/derived.ts";
import type { Variant } from "../model/experiment.ts";
import type { LaunchRecord } from "../model/raw.ts";
import type { Server } from "../model/server.ts";
import { estimate, typical } from "./estimate_rounds.ts";

/** A variant that was asked for, as it can be had here: its server is built, if it could be. */
export interface Available {
  readonly variant: Variant;
  /** What its server lacks on this machine; null if nothing. */
  readonly skipped: string | null;
  /** Why it could not be built; null if it could. */
  readonly failure: string | null;
}

/** A server's processes or scheduler threads in a variant's environment; null: as many as it likes. */
export function workersOf({ workers }: Server, env: Variant["env"]): number | null {
  if (workers === "unlimited") return null;
  return workers === "one" ? 1 : Number(env.WORKERS ?? 1);
}

/** The server of every variant of a run, with what its starts say. */
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
      // Of variants that do not have their servers' ids, none stands for the other's base
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
