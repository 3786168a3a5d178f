import { UsageError } from "../model/errors.ts";
import type { RunConfig } from "../model/report.ts";
import type { Trial } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { estimateS, loadsOf, Planner } from "./plan.ts";
import { choose } from "./choose.ts";
import { type ServerEnv, serverEnv, type ServerOptions } from "../engine/live_lab.ts";
import { chooseWork, type WorkOptions } from "./select.ts";

/** Options of `run`, as the table of options yields them. */
export interface RunOptions extends ServerOptions, WorkOptions {
  readonly connections?: readonly number[];
  readonly duration: number;
  readonly warmup?: number;
  readonly rounds?: number;
  readonly maxRounds?: number;
  readonly width: number;
  readonly budget?: number;
  readonly shards: number;
  readonly workers: number;
  readonly cache?: string;
  readonly pin?: boolean;
  readonly explain?: string;
  readonly generator?: string;
  /** Id or path. */
  readonly preset?: string;
  readonly seed?: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** What the person ordered: everything that a run needs to know before anything is started. */
export interface Order {
  readonly config: RunConfig & { readonly serverEnv: ServerEnv };
  readonly targets: readonly Server[];
  readonly scenarios: readonly Scenario[];
  /** The load generator of each server, by its id, if that is not the same for all. */
  readonly generatorOf: ReadonlyMap<string, string> | null;
  readonly needsDatabase: boolean;
  /** The most that any scenario's load opens at once. */
  readonly mostConnections: number;
  /** Scenarios whose evidence is printed. */
  readonly explained: readonly string[];
  /** The server that is measured against itself, and the name of its twin; null: none is. */
  readonly twins: readonly [string, string] | null;
  readonly aim: Aim;
}

/** What a run is for, which decides how many rounds there are where nobody says. */
export interface Aim {
  /** Whether only the servers' ratios are asked for, whatever their own figures are. */
  readonly ratiosOnly: boolean;
  readonly rounds: number;
  readonly maxRounds: number;
  /** What added rounds may take, of the time that the first ones do. */
  readonly budgetShare: number;
}

/** Six rounds are the fewest that have an interval. */
const FIGURES: Aim = { ratiosOnly: false, rounds: 6, maxRounds: 15, budgetShare: 0.4 };
/** Enough to prove that 20 % more processor time is beyond 5 %: docs/methodology.md. */
export const RATIOS: Aim = { ratiosOnly: true, rounds: 10, maxRounds: 30, budgetShare: 2 };

/** How long one answer may take before it counts as timed out. */
const TIMEOUT_S = 10;
const DEFAULT_GENERATOR = "autocannon";
const DEFAULT_CONNECTIONS = 10;
/** After this the rate of a fresh server is steady at most scenarios: docs/methodology.md. */
const DEFAULT_WARMUP_S = 0.5;
/** More would wait in PostgreSQL rather than before it. */
const MAX_DB_POOL = 100;

/**
 * Reads the order from the command line.
 *
 * @throws {UsageError} for what there is not.
 */
export async function readOrder(
  args: readonly string[],
  options: RunOptions,
): Promise<Order> {
  return orderOf(await chooseWork(args, options), options);
}

/**
 * The order for servers and scenarios that are known.
 *
 * @throws {UsageError} for numbers that do not go together.
 */
export function orderOf(
  { targets, scenarios }: Pick<Order, "targets" | "scenarios">,
  options: RunOptions,
  aim: Aim = FIGURES,
): Order {
  const needing = scenarios.filter(({ queries }) => queries > 0);
  const connections = options.connections ?? null;
  const most = Math.max(
    1,
    ...needing.flatMap(({ connections: own }) => connections ?? own ?? DEFAULT_CONNECTIONS),
  );
  const { maxRounds = options.rounds ?? aim.maxRounds } = options;
  const rounds = options.rounds ?? Math.min(aim.rounds, maxRounds);
  if (maxRounds < rounds) {
    throw new UsageError(`Cannot measure ${rounds} --rounds with ${maxRounds} --max-rounds`);
  }
  const unbudgeted = {
    targets: targets.map(({ id }) => id),
    scenarios: scenarios.map(({ id }) => id),
    generator: options.generator ?? DEFAULT_GENERATOR,
    shards: options.shards,
    connections,
    defaultConnections: DEFAULT_CONNECTIONS,
    durationS: options.duration,
    requests: null,
    timeoutS: TIMEOUT_S,
    warmupS: options.warmup ?? null,
    defaultWarmupS: DEFAULT_WARMUP_S,
    rounds,
    maxRounds,
    width: options.width,
    budgetS: options.budget ?? 0,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 32),
    pinning: null,
    workers: options.workers,
    serverEnv: serverEnv(options, Math.min(MAX_DB_POOL, most)),
  };
  const firstTrials = new Planner(unbudgeted, targets, scenarios).firstRounds();
  const config = { ...unbudgeted, budgetS: options.budget ?? budgetFor(firstTrials, aim) };
  return {
    config,
    targets,
    scenarios,
    generatorOf: null,
    needsDatabase: needing.length > 0,
    mostConnections: Math.max(
      ...scenarios.flatMap((scenario) => loadsOf(scenario, config)).map((load) => load.connections),
    ),
    explained: readExplained(options.explain, scenarios),
    twins: null,
    aim,
  };
}

/** The seconds that added rounds may take if nobody says otherwise. */
export function budgetFor(firstTrials: readonly Trial[], { budgetShare }: Aim): number {
  return budgetShare * estimateS(firstTrials);
}

function readExplained(text: string | undefined, scenarios: readonly Scenario[]): string[] {
  if (text === undefined) return [];
  const ids = text === "all" ? [] : text.split(",");
  return choose("scenario to explain in this run", ids, scenarios).map(({ id }) => id);
}
