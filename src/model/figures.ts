/**
 * The figures of a result, each declared once. From its declaration follow the property in the report's
 * schema, the derivation from windows, the columns of tables, pages and CSV, and the comparisons.
 */
import type { VariantSlices } from "./block.ts";
import type { CostId } from "./costs.ts";
import { Estimate, RelativeFigure } from "./estimate.ts";
import * as s from "./schema.ts";
import type { Latency, Measurement, WindowRecord } from "./raw.ts";

/** The declaration of a figure. */
export interface Figure {
  /** Name in CSV. Its end names the unit. */
  readonly key: string;
  /** Description in the report's schema. */
  readonly description: string;
  /**
   * `estimate`: estimate over the rounds of a valid result. `number`: median over the windows of any result.
   * Without `ofWindow`, src/analysis/ derives the figure from more than one window.
   */
  readonly kind: keyof typeof TYPES;
  /** Returns the figure of one window; null if unknown. */
  readonly ofWindow?: (window: WindowRecord) => number | null;
  /** Whether the figure is a latency: it is null if the latencies contradict the rate. */
  readonly isLatency?: true;
  /** The column in tables. Without it, only JSON and CSV contain the figure. */
  readonly column?: {
    readonly heading: string;
    readonly legend: string;
    readonly format: "rate" | "microseconds" | "milliseconds" | "mebibytes" | "multiple";
    /** Order in which narrow outputs drop columns: the highest number first; 0 is never dropped. */
    readonly dropOrder: number;
    /** When brief tables omit the column; by default they do not. */
    readonly omittedInBrief?: "always" | "with relative CPU";
  };
  /** How two servers or reports are compared by the figure. Without it, they are not. */
  readonly comparison?: {
    readonly isMoreBetter: boolean;
    /** Without it, only two reports are compared by the figure. */
    readonly slices?: {
      /**
       * Noise floor, as a share: the difference that two folders with the same code may show in one run,
       * because its rounds may share an error. Assumed from slices of a server against itself
       * (docs/methodology.md). Ranks by windows have the same floor.
       */
      readonly floor: number;
      /** Returns the figure of one slice; NaN if unknown. */
      readonly ofSlice: (variant: VariantSlices, slice: number, connections: number) => number;
    };
  };
}

const TYPES = { estimate: Estimate, number: s.amount, ratio: RelativeFigure };

/** The figures, in the order of the columns. */
export const FIGURES = {
  requestsPerS: {
    key: "requests_per_s",
    description:
      "Responses with a 2xx status per second, including the probe's; null without a rate.",
    kind: "estimate",
    ofWindow: requestsPerS,
    column: {
      heading: "Req/Sec",
      legend: "responses per second, median of the rounds",
      format: "rate",
      dropOrder: 0,
    },
    comparison: {
      isMoreBetter: true,
      slices: {
        floor: 0.01,
        // By Little's law, the rate is the number of connections over the mean time of a response.
        ofSlice: ({ responses, busyUs }, i, connections) =>
          1e6 * connections * (responses[i] ?? NaN) / (busyUs[i] ?? NaN),
      },
    },
  },
  relativeRate: {
    key: "relative_rate",
    description: "Rate relative to the reference server's; null without slices.",
    kind: "ratio",
    column: {
      heading: "Rel. rate",
      legend: "rate, bare Deno.serve's is 1, from slices",
      format: "multiple",
      dropOrder: 7,
      omittedInBrief: "always",
    },
  },
  capacityPerCore: {
    key: "per_core",
    description:
      "Responses per second and core: one second divided by the CPU time per response. Null if the rate is the server's own.",
    kind: "number",
    column: {
      heading: "per core",
      legend: "responses per second from one fully used core, by CPU/req",
      format: "rate",
      dropOrder: 6,
      omittedInBrief: "always",
    },
  },
  serverCpuUs: {
    key: "server_cpu_us",
    description: "The server's CPU time per response; null if unknown.",
    kind: "estimate",
    // The CPU time cannot be split between two loads
    ofWindow: (window) =>
      window.beside ? null : cpuUs(window.usage, "server", responsesPerS(window)),
    column: {
      heading: "CPU/req",
      legend: "the server's CPU time per response, median of the rounds",
      format: "microseconds",
      dropOrder: 2,
      omittedInBrief: "with relative CPU",
    },
    comparison: {
      isMoreBetter: false,
      slices: {
        floor: 0.005,
        ofSlice: ({ responses, cpuUs }, i) => (cpuUs?.[i] ?? NaN) / (responses[i] ?? NaN),
      },
    },
  },
  relativeCpu: {
    key: "relative_cpu",
    description: "CPU time per response relative to the reference server; null without slices.",
    kind: "ratio",
    column: {
      heading: "Rel. CPU",
      legend: "CPU time per response, bare Deno.serve is 1, from slices",
      format: "multiple",
      dropOrder: 2,
    },
    comparison: { isMoreBetter: false },
  },
  p50Us: {
    key: "p50_us",
    description:
      "Median service time: median over the rounds of each round's median; null without a response.",
    kind: "number",
    ofWindow: (window) => serviceTimes(window)?.p50Us ?? null,
    isLatency: true,
    column: {
      heading: "p50",
      legend: "median service time, closed loop",
      format: "milliseconds",
      dropOrder: 5,
    },
    comparison: {
      isMoreBetter: false,
      slices: { floor: 0.01, ofSlice: ({ p50Us }, i) => p50Us[i] ?? NaN },
    },
  },
  p99Us: {
    key: "p99_us",
    description:
      "99th percentile of the service time: median over the rounds of each round's; null without a response.",
    kind: "number",
    ofWindow: (window) => serviceTimes(window)?.p99Us ?? null,
    isLatency: true,
    column: {
      heading: "p99",
      legend: "99th percentile of the service time, closed loop",
      format: "milliseconds",
      dropOrder: 4,
    },
  },
  peakRssBytes: {
    key: "peak_rss_bytes",
    description:
      "Peak resident memory of the server under load, median over the rounds; null if unknown.",
    kind: "number",
    ofWindow: ({ usage }) => usage?.server?.peakRssBytes ?? null,
    column: {
      heading: "RSS",
      legend: "the server's peak memory",
      format: "mebibytes",
      dropOrder: 7,
      omittedInBrief: "always",
    },
  },
  idleRssBytes: {
    key: "idle_rss_bytes",
    description:
      "Resident memory of the server before the load, median over the rounds; null if unknown.",
    kind: "number",
    ofWindow: ({ usage }) => usage?.server?.idleRssBytes ?? null,
  },
  systemShare: {
    key: "system_share",
    description: "The kernel's share of the server's CPU time, 0 to 1; null if unknown.",
    kind: "number",
    ofWindow: ({ usage }) => {
      const { userUs = 0, systemUs = 0 } = usage?.server ?? {};
      return userUs + systemUs === 0 ? null : systemUs / (userUs + systemUs);
    },
  },
  statementsPerResponse: {
    key: "statements_per_response",
    description: "Database statements per response; null if they are not counted.",
    kind: "number",
  },
  bytesPerResponse: {
    key: "bytes_per_response",
    description:
      "Received bytes per response to the generator, headers included, median over the rounds; null if the generator does not report them.",
    kind: "number",
    ofWindow: ({ measurement }) => {
      const responses = responsesOf(measurement);
      return measurement.bytes === null || responses === 0 ? null : measurement.bytes / responses;
    },
  },
} as const satisfies Readonly<Record<string, Figure>>;

/** Id of a figure: the name of its property in a result. */
export type FigureId = keyof typeof FIGURES;
type With<P> = { [K in FigureId]: typeof FIGURES[K] extends P ? K : never }[FigureId];
/** A figure by which two reports are compared. */
type ChangeMetric = With<{ readonly comparison: object }>;
/** A figure that slices measure, so that the servers of a run are compared by it. */
export type Metric = With<{ readonly comparison: { readonly slices: object } }>;
/** A figure that can rank servers. */
export type RankingMetric = "requestsPerS" | "serverCpuUs";

/** In the order of the columns. */
export const FIGURE_IDS = Object.keys(FIGURES) as readonly FigureId[];
/** Ids of the figures by which two reports are compared. */
export const CHANGE_METRICS = FIGURE_IDS.filter((id): id is ChangeMetric =>
  "comparison" in FIGURES[id]
);
/** Ids of the figures that slices measure, the most precise first. */
export const METRICS = CHANGE_METRICS
  .filter((id): id is Metric => "slices" in FIGURES[id].comparison)
  .toSorted((a, b) => slicesOf(a).floor - slicesOf(b).floor);

/** The figures as properties of a result. */
export const figureProperties = ofFigures(({ kind, description }) => {
  const type: s.Type = TYPES[kind];
  return type.orNull(description);
}) as {
  readonly [K in FigureId]: s.Property<s.Static<typeof TYPES[typeof FIGURES[K]["kind"]]> | null>;
};

/** Returns a value for each figure, by its id. */
export function ofFigures<T>(value: (figure: Figure) => T): Record<FigureId, T> {
  const entries = FIGURE_IDS.map((id) => [id, value(FIGURES[id])]);
  return Object.fromEntries(entries) as Record<FigureId, T>;
}

/** Returns whether more is better of a figure; otherwise less is, as for all costs. */
export function isMoreBetter(metric: ChangeMetric | CostId): boolean {
  // A cost may have the name of a figure that is not compared, such as `peakRssBytes`
  const known = CHANGE_METRICS.find((one) => one === metric);
  return known !== undefined && FIGURES[known].comparison.isMoreBetter;
}

/** Returns how slices measure a figure. */
export function slicesOf(metric: Metric): typeof FIGURES[Metric]["comparison"]["slices"] {
  return FIGURES[metric].comparison.slices;
}

/** Returns the number of the generator's responses, of any status. */
export function responsesOf({ statuses }: Pick<Measurement, "statuses">): number {
  return Object.values(statuses).reduce((total, count) => total + count, 0);
}

/** Returns the number of the generator's responses with a 2xx status. */
export function successesOf({ statuses }: Pick<Measurement, "statuses">): number {
  const successes = Object.entries(statuses).filter(([status]) => isSuccess(status));
  return responsesOf({ statuses: Object.fromEntries(successes) });
}

/** Returns whether an HTTP status code is 2xx. */
export function isSuccess(status: string): boolean {
  return status.length === 3 && status.startsWith("2");
}

/** Returns responses with a 2xx status per second, of the generator and the probe. */
export function requestsPerS({ measurement, probe }: WindowRecord): number {
  return successesOf(measurement) / measurement.durationS +
    (probe.responses > 0 ? probe.responses / probe.durationS : 0);
}

/** Returns responses of any status per second, of the generator and the probe. */
function responsesPerS({ measurement, probe }: WindowRecord): number {
  const probed = probe.responses + probe.errors;
  return responsesOf(measurement) / measurement.durationS +
    (probed > 0 ? probed / probe.durationS : 0);
}

/** Returns the load generator's CPU time per response, in microseconds; null if unknown. */
export function generatorCpuUs({ measurement, usage }: WindowRecord): number | null {
  return cpuUs(usage, "generator", responsesOf(measurement) / measurement.durationS);
}

function cpuUs(
  usage: WindowRecord["usage"],
  component: "server" | "generator",
  responsesPerS: number,
): number | null {
  const used = usage?.[component];
  if (!used || responsesPerS <= 0) return null;
  return (used.userUs + used.systemUs) / usage.durationS / responsesPerS;
}

/** Returns the service times in a closed loop; null in an open loop, or if unknown. */
function serviceTimes({ measurement: { latency, open } }: WindowRecord): Latency | null {
  return open === null ? latency : null;
}
