import { UsageError } from "../model/errors.ts";
import type { Arm, Design, Experiment, Kind, LoadPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { type Aim, DEFAULT_GENERATOR, type ExperimentOptions, loadPlanOf } from "./options.ts";
import { loadsOf } from "./plan.ts";
import { randomSeed } from "./shuffle.ts";

/** What becomes an arm: a server, and where this side of an experiment differs from the others. */
export interface Side {
  readonly server: Server;
  /** By default the server's id. */
  readonly id?: string;
  /** By default the server's name. */
  readonly label?: string;
  /** By default the one that was asked for. */
  readonly generator?: string;
  /** Variables over those that every arm is given. */
  readonly env?: Readonly<Record<string, string>>;
}

/** More would wait in PostgreSQL rather than before it. */
const MAX_DB_POOL = 100;

/**
 * Puts an experiment together: what all kinds have in common.
 *
 * @param load where the kind itself says how hard servers are driven; by default the options do
 * @throws {UsageError} for numbers that do not go together.
 */
export function compose(
  kind: Kind,
  { sides, scenarios }: { sides: readonly Side[]; scenarios: readonly Scenario[] },
  options: ExperimentOptions,
  aim: Aim,
  load: LoadPlan = loadPlanOf(options),
): Experiment {
  const env = serverEnv(options, poolFor(scenarios, load));
  const arms = sides.map((side): Arm => ({
    id: side.id ?? side.server.id,
    label: side.label ?? side.server.name,
    server: side.server,
    generator: side.generator ?? options.generator ?? DEFAULT_GENERATOR,
    env: { ...env, ...side.env },
  }));
  return { kind, arms, scenarios, load, design: designOf(options, aim) };
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
    width: options.width,
    budgetS: options.budget ?? null,
    budgetShare: aim.budgetShare,
    ratiosOnly: aim.ratiosOnly,
    needsAll: aim.needsAll,
    pins: options.pin ?? false,
    seed: options.seed ?? randomSeed(),
  };
}

/** As many connections as the load may have under way that ask the database. */
function poolFor(scenarios: readonly Scenario[], load: LoadPlan): number {
  const loads = scenarios.filter(({ queries }) => queries > 0)
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
