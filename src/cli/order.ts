import { SCENARIOS } from "../../scenarios/mod.ts";
import type { LoadGenerator } from "../load/generator.ts";
import { GENERATORS } from "../load/mod.ts";
import type { RunConfig, Scenario, Target, Trial } from "../model.ts";
import { planTrials } from "../plan/plan.ts";
import { readCatalog } from "../target/catalog.ts";
import { choose, serverIds } from "./choose.ts";
import { type ServerEnv, serverEnv, type ServerOptions } from "./stage.ts";

/** Options of `run`, as the table of options yields them. */
export interface RunOptions extends ServerOptions {
  readonly connections?: number;
  readonly duration: number;
  readonly warmup: number;
  readonly rounds: number;
  readonly servers: string;
  readonly generator: string;
  readonly seed?: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** What the person ordered: everything that a run needs to know before anything is started. */
export interface Order {
  readonly config: RunConfig & { readonly serverEnv: ServerEnv };
  readonly targets: readonly Target[];
  readonly scenarios: readonly Scenario[];
  readonly generator: LoadGenerator;
  readonly trials: readonly Trial[];
  readonly needsDatabase: boolean;
}

const DEFAULT_CONNECTIONS = 10;
/** More would wait in PostgreSQL rather than before it. */
const MAX_DB_POOL = 100;

/**
 * Reads the order from the command line.
 *
 * @throws {UsageError} for what there is not.
 */
export async function readOrder(
  scenarioIds: readonly string[],
  options: RunOptions,
): Promise<Order> {
  const scenarios = choose("scenario or command", scenarioIds, SCENARIOS);
  const catalog = [...(await readCatalog()).values()];
  const targets = choose("server", serverIds(options.servers), catalog);
  const [generator] = choose("load generator", [options.generator], GENERATORS) as [LoadGenerator];
  const needing = scenarios.filter(({ usesDatabase }) => usesDatabase);
  const connections = options.connections ?? null;
  const most = Math.max(
    1,
    ...needing.map(({ connections: own }) => connections ?? own ?? DEFAULT_CONNECTIONS),
  );
  const config = {
    targets: targets.map(({ id }) => id),
    scenarios: scenarios.map(({ id }) => id),
    generator: generator.id,
    connections,
    defaultConnections: DEFAULT_CONNECTIONS,
    durationS: options.duration,
    warmupS: options.warmup,
    rounds: options.rounds,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 32),
    serverEnv: serverEnv(options, Math.min(MAX_DB_POOL, most)),
  };
  return {
    config,
    targets,
    scenarios,
    generator,
    trials: planTrials(config, targets, scenarios),
    needsDatabase: needing.length > 0,
  };
}
