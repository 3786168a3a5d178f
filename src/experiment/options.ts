/** What may be said of an experiment, and what it is where nothing is said: the defaults of every kind. */
import type { Design, LoadPlan } from "../model/experiment.ts";

/** How hard servers are driven, how often, and what they are told. */
export interface ExperimentOptions {
  readonly connections?: readonly number[];
  readonly duration: number;
  readonly warmup?: number;
  readonly shards: number;
  readonly rounds?: number;
  readonly maxRounds?: number;
  readonly width: number;
  readonly budget?: number;
  readonly pin?: boolean;
  readonly seed?: number;
  readonly generator?: string;
  readonly workers: number;
  readonly dbPool?: number;
  readonly cpuWorkers?: number;
  readonly queueLimit: number;
}

/** What a kind of experiment is for, which decides how many rounds there are where nothing is said. */
export type Aim =
  & Pick<Design, "budgetShare" | "ratiosOnly" | "needsAll">
  & Record<"rounds" | "maxRounds", number>;

/** The figures of each arm. Six rounds are the fewest that have an interval. */
export const FIGURES: Aim = {
  rounds: 6,
  maxRounds: 15,
  budgetShare: 0.4,
  ratiosOnly: false,
  needsAll: false,
};
/** Ratios between arms: enough to prove that 20 % more processor time is beyond 5 % (docs/methodology.md). */
export const RATIOS: Aim = {
  rounds: 10,
  maxRounds: 30,
  budgetShare: 2,
  ratiosOnly: true,
  needsAll: true,
};

/** What `generator` is for the fastest one on the machine. */
export const FASTEST = "auto";
export const DEFAULT_GENERATOR = "autocannon";
export const DEFAULT_SERVER = "deno";

const DEFAULT_CONNECTIONS = 10;
/** After this the rate of a fresh server is steady at most scenarios: docs/methodology.md. */
const DEFAULT_WARMUP_S = 0.5;
/** How long one answer may take before it counts as timed out. */
const TIMEOUT_S = 10;

/** How hard servers are driven. */
export function loadPlanOf(options: ExperimentOptions): LoadPlan {
  return {
    connections: options.connections ?? null,
    defaultConnections: DEFAULT_CONNECTIONS,
    shards: options.shards,
    durationS: options.duration,
    requests: null,
    timeoutS: TIMEOUT_S,
    warmupS: options.warmup ?? null,
    defaultWarmupS: DEFAULT_WARMUP_S,
  };
}
