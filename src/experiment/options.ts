/** Options of experiments, and the draft that they become. */
import type { CostGroup, Thresholds } from "../model/costs.ts";
import type { Design, LoadPlan, OpenPlan } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Alpn, Server } from "../model/server.ts";

/** Options for the protocol. */
export interface TlsOptions {
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
  /** Whether rates and times are measured; the default is true. */
  readonly timing?: boolean;
  /** Whether the kinds that count do so; the default is true. */
  readonly counts?: boolean;
  /** Groups of costs to measure; by default none. */
  readonly measure?: readonly CostGroup[];
  readonly failOn?: Thresholds;
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

/** The properties of a design that only the user chooses. */
export type Chosen =
  | "budgetS"
  | "costs"
  | "failOn"
  | "failOnCosts"
  | "isTimed"
  | "pins"
  | "profileS"
  | "seed";

/** The user's part of an experiment. Null means the default of the experiment's kind. */
export interface Draft extends Selection {
  readonly load: LoadPlan;
  /** Distribution of the arrivals, if the kind sends at a rate. */
  readonly arrivals: OpenPlan["arrivals"];
  readonly design:
    & Pick<Design, Chosen | "counts" | "differences">
    & Readonly<Record<"rounds" | "maxRounds" | "width", number | null>>;
  /** Whether slices may measure ratios. Slices need HTTP/1.1, and servers that Stampede starts. */
  readonly isSliced: boolean;
  readonly generator: string | null;
  /** Environment variables of every server. Without `DB_POOL`, the load sets it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Default warm-up, in seconds. At most scenarios the rate is then steady (docs/methodology.md). */
const DEFAULT_WARMUP_S = 0.5;
/** Duration of a profile, in seconds. It gives enough samples even if a server rarely runs JavaScript. */
const PROFILE_S = 3;

/** Turns options into the draft of an experiment. Behind this function, no code reads an option. */
export function draftOf(selection: Selection, options: ExperimentOptions): Draft {
  const { servers } = selection;
  return {
    ...selection,
    load: {
      tls: alpnOf(options),
      connections: options.connections ?? null,
      defaultConnections: 10,
      shards: options.shards,
      durationS: options.duration,
      requests: null,
      timeoutS: 10,
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
      isTimed: options.timing !== false,
      costs: options.measure ?? [],
      counts: options.counts !== false,
      failOn: options.failOn?.speed ?? null,
      failOnCosts: options.failOn?.costs ?? {},
      pins: options.pin ?? false,
      profileS: options.profile ? PROFILE_S : null,
      differences: options.profile === undefined ? "changed" : options.profile ? "all" : "none",
      seed: options.seed ?? Math.floor(Math.random() * 2 ** 32),
    },
    isSliced: options.slices !== false && !options.http2 &&
      servers.every(({ attached }) => attached === null),
    generator: options.generator ?? null,
    env: serverEnv(options),
  };
}

/** Returns the protocol over TLS; null without TLS. */
export function alpnOf({ tls, http2 }: TlsOptions): Alpn | null {
  if (http2) return "h2"; // browsers speak it only over TLS
  return tls ? "http/1.1" : null;
}

/** Returns the variables that every server receives (docs/contract.md), without addresses. */
export function serverEnv(
  { workers = 1, cpuWorkers = navigator.hardwareConcurrency, queueLimit, ...given }:
    ServerEnvOptions,
  usualDbPool?: number,
): Readonly<Record<string, string>> {
  const dbPool = given.dbPool ?? usualDbPool;
  return {
    ...(dbPool !== undefined && { DB_POOL: String(dbPool) }),
    WORKERS: String([workers].flat()[0] ?? 1),
    CPU_WORKERS: String(cpuWorkers),
    QUEUE_LIMIT: String(queueLimit),
  };
}
