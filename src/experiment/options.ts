/** Options of experiments, the draft that they become, and the loads of its scenarios. */
import { mixScenarios } from "../../scenarios/mix.ts";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { UsageError } from "../model/errors.ts";
import type { Design, Experiment, Load, LoadPlan, OpenPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Alpn, Server } from "../model/server.ts";
import { oneLine } from "../model/text.ts";
import { randomSeed } from "../stats/shuffle.ts";

/** Options for the protocol. */
export interface TlsOptions {
  /** Whether servers speak TLS. */
  readonly tls?: boolean;
  /** Whether servers speak HTTP/2, which implies TLS. */
  readonly http2?: boolean;
}

/** Options that become environment variables of servers. */
export interface ServerEnvOptions {
  /** Number of workers; only `run` takes several numbers. */
  readonly workers?: number | readonly number[];
  readonly dbPool?: number;
  readonly cpuWorkers?: number;
  readonly queueLimit: number;
}

/** Options for load, repetition and servers. */
export interface ExperimentOptions extends TlsOptions, ServerEnvOptions {
  readonly connections?: readonly number[];
  readonly arrivals?: OpenPlan["arrivals"];
  readonly duration: number;
  readonly warmup?: number;
  readonly shards: number;
  readonly rounds?: number;
  readonly maxRounds?: number;
  readonly width?: number;
  readonly budget?: number;
  readonly pin?: boolean;
  readonly profile?: boolean;
  readonly failOn?: number;
  /** Whether slices measure the ratios of servers; the default is true. If false, windows measure them. */
  readonly slices?: boolean;
  readonly seed?: number;
  readonly generator?: string;
}

/** The servers and scenarios to measure. */
export interface Selection {
  readonly servers: readonly Server[];
  readonly scenarios: readonly Scenario[];
  /** Reference server of relative CPU; null for none. */
  readonly reference: Server | null;
}

/** The user's part of an experiment. Null means the default of the experiment's kind. */
export interface Draft extends Selection {
  readonly load: LoadPlan;
  /** Distribution of the arrivals, if the kind sends at a rate. */
  readonly arrivals: OpenPlan["arrivals"];
  readonly design:
    & Pick<Design, "budgetS" | "failOn" | "pins" | "profileS" | "seed">
    & Readonly<Record<"rounds" | "maxRounds" | "width", number | null>>;
  /** Whether slices may measure ratios. Slices need HTTP/1.1, and servers that Stampede starts. */
  readonly isSliced: boolean;
  /** Id of the load generator. */
  readonly generator: string | null;
  /** Number of database connections of a server. */
  readonly dbPool: number | null;
  /** Environment variables of all servers. */
  readonly env: Readonly<Record<string, string>>;
}

/** Value of `generator` that selects the fastest load generator on this machine. */
export const FASTEST = "auto";
/** Id of Stampede's load generator that can also drive slices and send at a rate. */
export const BUILT_IN_GENERATOR = "stampede";

/** With this number of servers, windows in every round would take most of the time. */
export const MANY = 4;
/** With {@linkcode MANY} servers or more, every third round has windows, beginning with the first round. */
export const WINDOWS_EVERY = 3;
/** Id of the server that is measured by default. */
export const DEFAULT_SERVER = "deno";

/** Default number of connections of a load. */
const DEFAULT_CONNECTIONS = 10;
/** Default warm-up, in seconds. At most scenarios, the rate is steady after it (docs/methodology.md). */
const DEFAULT_WARMUP_S = 0.5;
/** Duration of a profile, in seconds. It gives enough samples even if a server rarely runs JavaScript. */
const PROFILE_S = 3;
/** Timeout of a response, in seconds. */
const TIMEOUT_S = 10;

/** Turns options into the draft of an experiment. Behind this function, no code reads an option. */
export function draftOf(selection: Selection, options: ExperimentOptions): Draft {
  const { servers } = selection;
  return {
    ...selection,
    load: {
      tls: alpnOf(options),
      connections: options.connections ?? null,
      defaultConnections: DEFAULT_CONNECTIONS,
      shards: options.shards,
      durationS: options.duration,
      requests: null,
      timeoutS: TIMEOUT_S,
      warmupS: options.warmup ?? null,
      defaultWarmupS: DEFAULT_WARMUP_S,
      open: null,
    },
    arrivals: options.arrivals ?? "poisson",
    design: {
      rounds: options.rounds ?? null,
      maxRounds: options.maxRounds ?? null,
      width: options.width ?? null,
      budgetS: options.budget ?? null,
      failOn: options.failOn ?? null,
      pins: options.pin ?? false,
      profileS: options.profile ? PROFILE_S : null,
      seed: options.seed ?? randomSeed(),
    },
    isSliced: options.slices !== false && !options.http2 &&
      servers.every(({ attached }) => attached === null),
    generator: options.generator ?? null,
    dbPool: options.dbPool ?? null,
    env: workerEnv(options),
  };
}

/** Returns the protocol over TLS; null without TLS. */
export function alpnOf({ tls, http2 }: TlsOptions): Alpn | null {
  if (http2) return "h2"; // browsers speak it only over TLS
  return tls ? "http/1.1" : null;
}

/**
 * Returns the environment variables that every server receives (docs/contract.md), without addresses.
 * `dbPool` is the default number of database connections.
 */
export function serverEnv(
  options: ServerEnvOptions,
  dbPool: number,
): Readonly<Record<"DB_POOL" | "WORKERS" | "CPU_WORKERS" | "QUEUE_LIMIT", string>> {
  return { DB_POOL: String(options.dbPool ?? dbPool), ...workerEnv(options) };
}

function workerEnv(
  { workers = 1, cpuWorkers = navigator.hardwareConcurrency, queueLimit }: ServerEnvOptions,
): Record<"WORKERS" | "CPU_WORKERS" | "QUEUE_LIMIT", string> {
  return {
    WORKERS: String([workers].flat()[0] ?? 1),
    CPU_WORKERS: String(cpuWorkers),
    QUEUE_LIMIT: String(queueLimit),
  };
}

/**
 * Maximum extension of a warm-up, in seconds. A warm-up is extended while the rate still climbs. During a
 * build on two cores, fastify needed 1.3 s more. Results that still climb after the extension are marked.
 */
const MORE_WARMUP_S = 5;

/** Returns the loads of a scenario: the requested ones, or the scenario's defaults. */
export function loadsOf(scenario: Scenario, plan: LoadPlan): Load[] {
  const own = [scenario.connections ?? plan.defaultConnections];
  const loads = (plan.connections ?? own).map((count) => loadOf(scenario, plan, count));
  const { open } = plan;
  if (open === null) return loads;
  const { arrivals } = open;
  return loads.flatMap((load) =>
    (open.perS[scenario.id] ?? []).map((perS) => ({
      ...load,
      durationS: plan.durationS,
      responses: null,
      open: { perS, arrivals, seed: 0 },
    }))
  );
}

function loadOf(scenario: Scenario, plan: LoadPlan, connections: number): Load {
  const { cycle } = scenario;
  const warmupS = plan.warmupS ?? scenario.warmupS ?? plan.defaultWarmupS;
  const cycles = cycle === null ? 0 : Math.ceil(plan.durationS / cycle.waitS);
  return {
    connections,
    shards: plan.shards,
    warmupS,
    mostWarmupS: plan.warmupS ?? warmupS + MORE_WARMUP_S,
    durationS: cycle === null ? plan.durationS : cycles * cycle.waitS,
    responses: plan.requests ?? (cycle === null ? null : cycles * cycle.every * connections),
    timeoutS: plan.timeoutS,
    open: null,
  };
}

/** Returns the minimum and maximum warm-up at a server in seconds: equal if the user set it. */
export function warmupAt(
  plan: LoadPlan,
  load: Load,
  server: Server,
): { warmupS: number; mostWarmupS: number } {
  const warmupS = plan.warmupS ?? Math.max(load.warmupS, server.warmupS ?? 0);
  return { warmupS, mostWarmupS: plan.warmupS ?? warmupS + MORE_WARMUP_S };
}

/** Returns the maximum number of connections of an experiment. */
export function mostConnections(
  { scenarios, load }: Pick<Experiment, "scenarios" | "load">,
): number {
  // Rates may be unknown so far
  const loads = scenarios.flatMap((scenario) => loadsOf(scenario, { ...load, open: null }));
  return Math.max(...loads.map(({ connections }) => connections));
}

/**
 * Parses a mix, such as `db=80,updates=20`, also of the user's `own` scenarios.
 *
 * @throws {UsageError} if the text is not a mix.
 */
export function readMix(text: string, own: readonly Scenario[] = []): Scenario {
  return mixScenarios(
    text.split(",").map((part) => {
      const [, id, weight] = /^\s*([\w./-]+)\s*=\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(part) ?? [];
      if (id === undefined) {
        throw new UsageError(
          `Cannot read "${oneLine(part).slice(0, 40)}" of --mix: write it as db=80,updates=20`,
        );
      }
      const scenario = [...own, ...SCENARIOS].find((one) => one.id === id);
      if (scenario === undefined) {
        throw new UsageError(`Cannot read --mix: there is no scenario "${id}"`);
      }
      return { scenario, weight: Number(weight) };
    }),
  );
}

/** Adds to a server each mix of which it implements all parts. */
export function withMixes(server: Server, scenarios: readonly Scenario[]): Server {
  const own = scenarios.filter(({ mix }) =>
    mix?.every(({ scenario }) => scenario.id in server.scenarios)
  );
  if (own.length === 0) return server;
  const mixes = Object.fromEntries(own.map(({ id }) => [id, {}]));
  return { ...server, scenarios: { ...server.scenarios, ...mixes } };
}
