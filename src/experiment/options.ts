/** Options of experiments, and their defaults for every kind. */
import type { Design, LoadPlan, OpenPlan } from "../model/experiment.ts";
import type { Alpn } from "../model/tls.ts";
import type { Slo } from "../model/slo.ts";

/** Requested rates of open loops. */
export interface Rates {
  /** Rates in requests per second. */
  readonly perS: readonly number[];
  /** Rates as shares of the slowest server's rate in a closed loop. */
  readonly shares: readonly number[];
}

/** Options for load, repetition and servers. */
export interface ExperimentOptions {
  readonly connections?: readonly number[];
  /** Rates of open loops. */
  readonly rate?: Rates;
  readonly arrivals?: OpenPlan["arrivals"];
  /** The SLO of the command `capacity`. */
  readonly slo?: Slo;
  /** Whether servers speak TLS. */
  readonly tls?: boolean;
  /** Whether servers speak HTTP/2, which implies TLS. */
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
  /** Whether slices measure the ratios of servers; the default is true. If false, windows measure them. */
  readonly slices?: boolean;
  readonly seed?: number;
  readonly generator?: string;
  readonly workers: number;
  readonly dbPool?: number;
  readonly cpuWorkers?: number;
  readonly queueLimit: number;
}

/** Value of `generator` that selects the fastest load generator on this machine. */
export const FASTEST = "auto";
/** Id of the default load generator. */
export const DEFAULT_GENERATOR = "autocannon";
/** Id of the load generator for HTTP/2, which autocannon and stampede do not speak. */
export const HTTP2_GENERATOR = "h2load";
/** Id of Stampede's load generator that can also drive slices and send at a rate. */
export const BUILT_IN_GENERATOR = "stampede";

/** Purpose of a kind of experiment. It sets the defaults for rounds, slices and added time. */
export type Aim =
  & Pick<Design, "budgetShare" | "ratiosOnly" | "needsAll">
  & Record<"rounds" | "maxRounds" | "width", number>
  & {
    /**
     * Id of the load generator that replaces the default one if that would be the bottleneck. Null if none
     * does.
     */
    readonly fallback: string | null;
    /**
     * Time in slices for each variant and scenario, as a share of a window's length. Null means that windows
     * measure ratios.
     */
    readonly slices: number | null;
  };

/** Measures the figures of each variant. Six rounds are the minimum for a 95 % confidence interval. */
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
/**
 * Measures response times at rates. The variants already use the generator that can send at a rate, so there
 * is no fallback.
 */
export const RESPONSES: Aim = { ...FIGURES, rounds: 3, maxRounds: 3, fallback: null, slices: null };
/**
 * Searches for the highest rate that meets an SLO. The search itself decides how many trials it needs. It
 * ends if the gap between met and missed rates is at most `width`.
 */
export const SEARCH: Aim = { ...RESPONSES, rounds: 1, maxRounds: 1, width: 0.1 };
/** Default SLO of `capacity`, in the form of --slo. */
export const DEFAULT_SLO = "p99<50ms,errors<0.1%";
/** Fractions of the capacity at which response times are measured. The last one overloads the server. */
export const CURVE_SHARES: readonly number[] = [0.25, 0.5, 0.75, 0.9, 1.2];
/**
 * With this number of servers or more, only some rounds have windows. Windows in every round would take most
 * of the time.
 */
export const MANY = 4;
/**
 * Measures the figures of {@linkcode MANY} variants or more: more rounds of slices, and windows in only some
 * of them.
 */
export const FIGURES_OF_MANY: Aim = { ...FIGURES, rounds: 8, slices: 0.2 };
/** With {@linkcode MANY} servers or more, every third round has windows, beginning with the first round. */
export const WINDOWS_EVERY = 3;
/** Measures the figures of each variant by windows only, as for published tables. */
export const WINDOWS: Aim = { ...FIGURES, fallback: null, slices: null };
/**
 * Measures ratios between variants. At one scenario, ten rounds take about a minute (docs/methodology.md).
 */
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

/**
 * Minimum length of a slice, in milliseconds. A slice of this length is long enough to load the server. It is
 * short enough that neighbouring slices see the same machine.
 */
export const SLICE_MS = 10;
/** Minimum number of responses in a slice. With fewer, their median latency means little. */
export const SLICE_RESPONSES = 50;

/** Id of the server that is measured by default. */
export const DEFAULT_SERVER = "deno";
/** Id of the variant that measures the reference server. */
export const REFERENCE = "reference";
/** Id of the reference server of relative CPU. */
export const REFERENCE_SERVER = "deno-bare";

/** Default number of connections of a load. */
const DEFAULT_CONNECTIONS = 10;
/** Default maximum number of connections of an open loop. */
const OPEN_CONNECTIONS = 256;
/**
 * Default warm-up, in seconds. At most scenarios, the rate of a fresh server is steady after it
 * (docs/methodology.md).
 */
const DEFAULT_WARMUP_S = 0.5;
/** Duration of a profile, in seconds. It gives enough samples even if a server rarely runs JavaScript. */
export const PROFILE_S = 3;
/** Timeout of a response, in seconds. */
const TIMEOUT_S = 10;

/** Returns the protocol over TLS; null without TLS. */
export function alpnOf({ tls, http2 }: Pick<ExperimentOptions, "tls" | "http2">): Alpn | null {
  if (http2) return "h2"; // browsers speak it only over TLS
  return tls ? "http/1.1" : null;
}

/** Returns the load of experiments in an open loop. */
export function openPlanOf(
  options: ExperimentOptions,
  { perS, closedLoopPerS }: Omit<OpenPlan, "arrivals">,
): LoadPlan {
  return {
    ...loadPlanOf(options),
    connections: options.connections ?? [OPEN_CONNECTIONS],
    open: { perS, closedLoopPerS, arrivals: options.arrivals ?? "poisson" },
  };
}

/** Returns the load of experiments in a closed loop. */
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
