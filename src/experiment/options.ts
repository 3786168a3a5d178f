/** What may be said of an experiment, and what it is where nothing is said: the defaults of every kind. */
import type { Design, LoadPlan, OpenPlan } from "../model/experiment.ts";
import type { Alpn } from "../model/tls.ts";
import type { Slo } from "../model/slo.ts";

/** At which rates requests are sent. */
export interface Rates {
  /** Requests a second. */
  readonly perS: readonly number[];
  /** Of what the slowest server can answer. */
  readonly shares: readonly number[];
}

/** How hard servers are driven, how often, and what they are told. */
export interface ExperimentOptions {
  readonly connections?: readonly number[];
  /** Of open loops. */
  readonly rate?: Rates;
  readonly arrivals?: OpenPlan["arrivals"];
  /** What `capacity` holds servers to. */
  readonly slo?: Slo;
  /** Whether servers are to speak TLS, and HTTP/2 over it. */
  readonly tls?: boolean;
  readonly http2?: boolean;
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
  /** False: by windows alone. */
  readonly slices?: boolean;
  readonly seed?: number;
  readonly generator?: string;
  readonly workers: number;
  readonly dbPool?: number;
  readonly cpuWorkers?: number;
  readonly queueLimit: number;
}

/** What `generator` is for the fastest one on the machine. */
export const FASTEST = "auto";
export const DEFAULT_GENERATOR = "autocannon";
/** Drives HTTP/2, which neither of those two speaks. */
export const HTTP2_GENERATOR = "h2load";
/** The one that drives slices too. */
export const BUILT_IN_GENERATOR = "stampede";

/** What a kind of experiment is for, which decides how many rounds there are where nothing is said. */
export type Aim =
  & Pick<Design, "budgetShare" | "ratiosOnly" | "needsAll">
  & Record<"rounds" | "maxRounds" | "width", number>
  & {
    /** Drives scenarios at which the default generator would be the bottleneck; null: that stays. */
    readonly fallback: string | null;
    /** How long slices are in sum, of the length of a window. Null: ratios are those of windows. */
    readonly slices: number | null;
  };

/** The figures of each variant. Six rounds are the fewest that have an interval. */
export const FIGURES: Aim = {
  rounds: 6,
  maxRounds: 15,
  width: 0.03,
  budgetShare: 0.02,
  ratiosOnly: false,
  fallback: BUILT_IN_GENERATOR,
  slices: 0.3,
  needsAll: false,
};
/** Response times at rates: windows of the driver that can send at a rate, which are long and few. */
export const RESPONSES: Aim = { ...FIGURES, rounds: 3, maxRounds: 3, fallback: null, slices: null };
/** The highest rate that meets an SLO: its own search decides how often anything is measured. */
export const SEARCH: Aim = { ...RESPONSES, rounds: 1, maxRounds: 1, width: 0.1 };
/** What it is held to where nothing is said, as --slo takes it. */
export const DEFAULT_SLO = "p99<50ms,errors<0.1%";
/** Of the rate that is held: there response times are measured, beyond it to see how that ends. */
export const CURVE_SHARES: readonly number[] = [0.25, 0.5, 0.75, 0.9, 1.2];
/** From so many servers on, windows of every round would take most of the time. */
export const MANY = 4;
/** The figures of many variants: more rounds of slices, which tell them apart, and windows in some of them. */
export const FIGURES_OF_MANY: Aim = { ...FIGURES, rounds: 8, slices: 0.2 };
/** Which rounds have windows then: the first, and every so many after it. */
export const WINDOWS_EVERY = 3;
/** The figures of each variant, and nothing but windows: what a published table is held against. */
export const WINDOWS: Aim = { ...FIGURES, fallback: null, slices: null };
/** Ratios between variants: enough to see 2 % of one scenario in a minute (docs/methodology.md). */
export const RATIOS: Aim = {
  rounds: 10,
  maxRounds: 30,
  width: 0.01,
  budgetShare: 1,
  ratiosOnly: true,
  fallback: null,
  slices: 1,
  needsAll: true,
};

/** Long enough for the load to matter, and short enough that the machine is the same in the next. */
export const SLICE_MS = 10;
/** Fewer responses have no median worth the name. */
export const SLICE_RESPONSES = 50;

export const DEFAULT_SERVER = "deno";
/** Id of the variant that costs are counted in. */
export const REFERENCE = "reference";
/** Id of its server. */
export const REFERENCE_SERVER = "deno-bare";

const DEFAULT_CONNECTIONS = 10;
/** As many as an open loop opens at most, if it needs them. */
const OPEN_CONNECTIONS = 256;
/** After this the rate of a fresh server is steady at most scenarios: docs/methodology.md. */
const DEFAULT_WARMUP_S = 0.5;
/** Enough samples of a server that is seldom in JavaScript. */
export const PROFILE_S = 3;
/** How long one response may take before it counts as timed out. */
const TIMEOUT_S = 10;

/** What is to be spoken over TLS; null: no TLS. */
export function alpnOf({ tls, http2 }: Pick<ExperimentOptions, "tls" | "http2">): Alpn | null {
  if (http2) return "h2"; // without TLS no browser speaks it
  return tls ? "http/1.1" : null;
}

/** How servers are driven at rates. */
export function openPlanOf(
  options: ExperimentOptions,
  { perS, capacities }: Omit<OpenPlan, "arrivals">,
): LoadPlan {
  return {
    ...loadPlanOf(options),
    connections: options.connections ?? [OPEN_CONNECTIONS],
    open: { perS, capacities, arrivals: options.arrivals ?? "poisson" },
  };
}

/** How hard servers are driven. */
export function loadPlanOf(options: ExperimentOptions): LoadPlan {
  return {
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
  };
}
