import type { ServerSummary } from "../model/derived.ts";
import type { Server } from "../model/server.ts";
import type { LaunchRecord } from "../model/raw.ts";
import { estimate, typical } from "./estimate.ts";

/** A server that was asked for, as it can be had here. */
export interface Available {
  readonly target: Server;
  /** What it lacks on this machine; null if nothing. */
  readonly skipped: string | null;
  /** Why it could not be built; null if it could. */
  readonly failure: string | null;
}

/** A server's processes or scheduler threads; null: as many as it likes. */
export function workersOf({ workers, settings }: Server, configured: number): number | null {
  if (workers === "unlimited") return null;
  return workers === "one" ? 1 : Number(settings.WORKERS ?? configured);
}

/**
 * Every server of a run with what its starts say.
 *
 * @param workers how many the servers were told to use
 */
export function summariseServers(
  servers: readonly Available[],
  launches: readonly LaunchRecord[],
  workers: number,
): ServerSummary[] {
  return servers.map(({ target, skipped, failure }) => {
    const { id, name, language, framework, basedOn, approach, why, scenarios } = target;
    const own = launches.filter((launch) => launch.target === id);
    const known = own.flatMap(({ round, startUpS }) =>
      startUpS === null ? [] : [{ round, value: startUpS }]
    );
    return {
      id,
      name,
      language,
      framework,
      basedOn,
      approach,
      why,
      scenarios,
      skipped,
      failure,
      workers: workersOf(target, workers),
      startUpS: known.length === 0 ? null : estimate(known),
      idleRssBytes: typical(own, ({ idleRssBytes }) => idleRssBytes),
    };
  });
}
