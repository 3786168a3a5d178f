/** Summarises the scenarios and servers of a run for its report. */
import { createHash } from "node:crypto";
import type { CostRecord } from "../model/costs.ts";
import type { Estimate, ServerSummary } from "../model/derived.ts";
import type { Experiment, Variant } from "../model/experiment.ts";
import type { LaunchRecord } from "../model/raw.ts";
import type { ScenarioSummary } from "../model/report.ts";
import type { Server } from "../model/server.ts";
import { hideQuery } from "../model/text.ts";
import { estimateOf, typical } from "../stats/median.ts";

/** Summarises scenarios without possible secrets: header values, bodies, and the query of a URL. */
export function summariseScenarios(
  { variants, scenarios }: Pick<Experiment, "variants" | "scenarios">,
): ScenarioSummary[] {
  const isForeign = variants.some(({ server }) => server.attached !== null);
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
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

/** A requested variant, and whether this machine can run it. If possible, its server was built already. */
export interface Available {
  readonly variant: Variant;
  /** The tools that are missing on this machine, as text; null if none is missing. */
  readonly skipped: string | null;
  readonly failure: string | null;
}

/** Returns the number of processes or scheduler threads of a server; null if the server chooses. */
export function workersOf({ workers }: Server, env: Variant["env"]): number | null {
  if (workers === "unlimited") return null;
  return workers === "one" ? 1 : Number(env.WORKERS ?? 1);
}

/** Summarises the server of every variant, with its start-up times and its costs without load. */
export function summariseServers(
  variants: readonly Available[],
  launches: readonly LaunchRecord[],
  costs: readonly CostRecord[] = [],
): ServerSummary[] {
  return variants.map(({ variant: { id, label, server, env }, skipped, failure }) => {
    const { language, runtime, framework, basedOn, approach, why, guide, settings, scenarios } =
      server;
    const own = launches.filter(({ variant }) => variant === id);
    return {
      id,
      name: label,
      language,
      runtime,
      framework,
      // Variants with other ids than their servers have no base.
      basedOn: id === server.id ? basedOn : null,
      approach,
      why,
      guide,
      settings,
      scenarios,
      skipped,
      failure,
      workers: workersOf(server, env),
      startUpS: overRounds(own, ({ startUpS }) => startUpS),
      idleRssBytes: typical(own, ({ idleRssBytes }) => idleRssBytes),
      handshakeUs: overRounds(own, ({ handshakes }) => handshakes?.p50Us ?? null),
      handshakeCpuUs: typical(own, ({ handshakes }) => handshakes?.serverCpuUs ?? null),
      costs: estimatesOf(
        costs.filter(({ variant, scenario }) => variant === id && scenario === null),
      ),
    };
  });
}

/** Returns the estimate of a figure of launches. A round may have one for each scenario: their median counts. */
function overRounds(
  launches: readonly LaunchRecord[],
  figure: (launch: LaunchRecord) => number | null,
): Estimate | null {
  const rounds = [...Map.groupBy(launches, ({ round }) => round)];
  return estimateOf(rounds, ([round]) => round, ([_round, own]) => typical(own, figure));
}

function estimatesOf(costs: readonly CostRecord[]): Record<string, Estimate> {
  const all = [...Map.groupBy(costs, ({ cost }) => cost)].flatMap(([cost, own]) => {
    const estimate = estimateOf(own, ({ round }) => round, ({ value }) => value);
    return estimate === null ? [] : [[cost, estimate] as const];
  });
  return Object.fromEntries(all);
}
