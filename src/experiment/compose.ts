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

/** What becomes a variant: a server, and where this side of an experiment differs from the others. */
export interface VariantSpec {
  readonly server: Server;
  /** By default the server's id. */
  readonly id?: string;
  /** By default the server's name. */
  readonly label?: string;
  /** By default the one that was asked for. */
  readonly generator?: string;
  /** Variables over those that every variant is given. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What an experiment is made of. */
export interface ExperimentParts {
  readonly variantSpecs: readonly VariantSpec[];
  readonly scenarios: readonly Scenario[];
  /** What costs are counted in; null, and for servers that run already: none. */
  readonly reference?: Server | null;
}

/** More would wait in PostgreSQL rather than before it. */
const MAX_DB_POOL = 100;

/**
 * Puts an experiment together: what all kinds have in common.
 *
 * @param asked where the kind itself says how hard servers are driven; by default the options do
 * @throws {UsageError} for numbers that do not go together.
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
      `Cannot measure ${apart.id} like that: it is about response times at a rate, by bench ${apart.id}`,
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

/** Whether ratios can be measured in slices, which take servers that are started here, and HTTP/1.1. */
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
    // A run with fewer rounds is a look, for which another one of everything is too long
    fallback: options.generator === undefined && rounds >= FIGURES.rounds ? aim.fallback : null,
    failOn: options.failOn ?? null,
    needsAll: aim.needsAll,
    pins: options.pin ?? false,
    profileS: options.profile ? PROFILE_S : null,
    seed: options.seed ?? randomSeed(),
  };
}

function slicesOf({ duration }: ExperimentOptions, share: number): SliceDesign {
  const durationS = Math.round(1000 * duration * share) / 1000; // 1.5 * 0.3 is 0.4499…
  return { durationS, sliceMs: SLICE_MS, responses: SLICE_RESPONSES };
}

/** As many connections as the load may have under way that ask the database. */
function poolFor(scenarios: readonly Scenario[], load: LoadPlan): number {
  // A rate is no number of connections: the pool is that of other runs
  if (load.open !== null) return load.defaultConnections;
  const loads = scenarios.filter(needsDatabase)
    .flatMap((scenario) => loadsOf(scenario, load));
  return Math.min(MAX_DB_POOL, Math.max(1, ...loads.map(({ connections }) => connections)));
}

/**
 * The variables of the contract that servers are given, beside their address and the database's.
 *
 * @param dbPool connections of a server to its database, unless the options say it
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
