import { createHash } from "node:crypto";
import type { ServerSummary } from "../model/derived.ts";
import type { Experiment, Variant } from "../model/experiment.ts";
import type { LaunchRecord } from "../model/raw.ts";
import type { ScenarioSummary } from "../model/report.ts";
import type { Server } from "../model/server.ts";
import { hideQuery } from "../model/text.ts";
import { estimate, typical } from "./rounds.ts";

/**
 * Summarises the requests and checks of scenarios. Possible secrets are left out: header values, bodies, and
 * the query of a URL target.
 */
export function summariseScenarios(
  { variants, scenarios }: Pick<Experiment, "variants" | "scenarios">,
): ScenarioSummary[] {
  const isForeign = variants.some(({ server }) => server.attached !== null);
  return scenarios.map(({ id, title, request, queries, each, checks }) => {
    const { method, path, headers, body } = request;
    const shown = isForeign ? hideQuery(path) : path;
    return {
      id,
      title,
      method,
      path: shown,
      each,
      hiddenPathSha256: shown === path ? null : sha256(path),
      headerNames: Object.keys(headers),
      bodySha256: body === null ? null : sha256(body),
      queries,
      checks: checks.map(({ name }) => name),
    };
  });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

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
