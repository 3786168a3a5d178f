import { UsageError } from "../model/errors.ts";
import type {
  Design,
  Experiment,
  ExperimentKind,
  LoadPlan,
  SliceDesign,
  Variant,
} from "../model/experiment.ts";
import { needsDatabase, type Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import {
  type Aim,
  type ExperimentOptions,
  FIGURES,
  loadPlanOf,
  PROFILE_S,
  REFERENCE,
  SLICE_MS,
  SLICE_RESPONSES,
} from "./options.ts";
import { defaultGenerator, spoken } from "./generator_tls.ts";
import { loadsOf } from "./loads.ts";
import { randomSeed } from "../stats/shuffle.ts";

/** A server that becomes a variant, and what distinguishes it from the other variants. */
export interface VariantSpec {
  readonly server: Server;
  /** Id of the variant; by default the server's id. */
  readonly id?: string;
  /** Name of the variant for people; by default the server's name. */
  readonly label?: string;
  /** Id of the load generator; by default the requested one. */
  readonly generator?: string;
  /** Environment variables of this variant. They override those that all variants receive. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What {@linkcode compose} makes an experiment from. */
export interface ExperimentParts {
  readonly variantSpecs: readonly VariantSpec[];
  readonly scenarios: readonly Scenario[];
  /** Reference server of relative CPU. Null if there is none, or if the measured servers already run. */
  readonly reference?: Server | null;
}

/**
 * Maximum number of database connections of a server. With more connections, requests would wait in
 * PostgreSQL instead of in the server's pool.
 */
const MAX_DB_POOL = 100;

/**
 * Makes an experiment of any kind from its parts.
 *
 * @param asked the requested load; by default that of the options
 * @throws {UsageError} if options, servers and scenarios do not fit together.
 */
export function compose(
  kind: ExperimentKind,
  parts: ExperimentParts,
  options: ExperimentOptions,
  aim: Aim,
  asked: LoadPlan = loadPlanOf(options),
): Experiment {
  const { variantSpecs, scenarios, reference = null } = parts;
  const apart = scenarios.find(({ beside }) => beside !== undefined);
  if (apart !== undefined && kind !== "rate") {
    throw new UsageError(
      `Cannot measure ${apart.id} with this command, because it measures response times at a rate: use bench run ${apart.id}`,
    );
  }
  const load = { ...asked, tls: spoken(parts, asked) };
  const env = serverEnv(options, poolFor(scenarios, load));
  const variantOf = (spec: VariantSpec): Variant => ({
    id: spec.id ?? spec.server.id,
    label: spec.label ?? spec.server.name,
    server: spec.server,
    generator: spec.generator ?? options.generator ?? defaultGenerator(load.tls),
    env: { ...env, ...spec.env },
  });
  const hasSlices = aim.slices !== null && isSliced(parts, options);
  const aimed = load.tls === "h2" ? { ...aim, fallback: null } : aim;
  return {
    kind,
    variants: variantSpecs.map(variantOf),
    reference: hasSlices && reference !== null
      ? variantOf({ server: reference, id: REFERENCE })
      : null,
    scenarios,
    load,
    design: designOf(options, hasSlices ? aimed : { ...aimed, slices: null }),
    search: null,
  };
}

/**
 * Returns whether ratios can be measured in slices. Slices need HTTP/1.1, and servers that Stampede starts.
 */
export function isSliced(
  { variantSpecs }: ExperimentParts,
  { slices, http2 }: ExperimentOptions,
): boolean {
  return slices !== false && !http2 && variantSpecs.every(({ server }) => server.attached === null);
}

function designOf(options: ExperimentOptions, aim: Aim): Design {
  const maxRounds = options.maxRounds ?? options.rounds ?? aim.maxRounds;
  const rounds = options.rounds ?? Math.min(aim.rounds, maxRounds);
  if (maxRounds < rounds) {
    throw new UsageError(`Cannot measure ${rounds} --rounds with ${maxRounds} --max-rounds`);
  }
  return {
    rounds,
    maxRounds,
    width: options.width ?? aim.width,
    budgetS: options.budget ?? null,
    budgetShare: aim.budgetShare,
    ratiosOnly: aim.ratiosOnly,
    slices: aim.slices === null ? null : slicesOf(options, aim.slices),
    // With fewer rounds the run is a smoke run, and pilot windows would take too long
    fallback: options.generator === undefined && rounds >= FIGURES.rounds ? aim.fallback : null,
    failOn: options.failOn ?? null,
    needsAll: aim.needsAll,
    pins: options.pin ?? false,
    profileS: options.profile ? PROFILE_S : null,
    seed: options.seed ?? randomSeed(),
  };
}

function slicesOf({ duration }: ExperimentOptions, share: number): SliceDesign {
  const durationS = Math.round(1000 * duration * share) / 1000; // rounded, because 1.5 * 0.3 is 0.4499…
  return { durationS, sliceMs: SLICE_MS, responses: SLICE_RESPONSES };
}

/**
 * Returns the number of database connections of a server: the maximum number of load connections at scenarios
 * that use the database.
 */
function poolFor(scenarios: readonly Scenario[], load: LoadPlan): number {
  // A rate has no number of connections, so the default is used
  if (load.open !== null) return load.defaultConnections;
  const loads = scenarios.filter(needsDatabase)
    .flatMap((scenario) => loadsOf(scenario, load));
  return Math.min(MAX_DB_POOL, Math.max(1, ...loads.map(({ connections }) => connections)));
}

/**
 * Returns the environment variables that every server receives (docs/contract.md), except the addresses of
 * server and database.
 *
 * @param dbPool number of database connections, unless the options set it
 */
export function serverEnv(
  options: Pick<ExperimentOptions, "dbPool" | "cpuWorkers" | "queueLimit"> & { workers?: number },
  dbPool: number,
): Readonly<Record<"DB_POOL" | "WORKERS" | "CPU_WORKERS" | "QUEUE_LIMIT", string>> {
  return {
    DB_POOL: String(options.dbPool ?? dbPool),
    WORKERS: String(options.workers ?? 1),
    CPU_WORKERS: String(options.cpuWorkers ?? navigator.hardwareConcurrency),
    QUEUE_LIMIT: String(options.queueLimit),
  };
}
