/** Judges a soak: compares the last third of the samples with the first third. */
import { independentRatio } from "../../src/stats/rank_tests.ts";
import { median } from "../../src/stats/median.ts";
import type { Sample } from "./sample.ts";

/** Growth up to this share counts as flat. */
const ALLOWED = 0.05;
/** Warm-up in seconds: caches fill, code is compiled, the heap reaches its size. */
const WARMUP_S = 600;
/** Warm-up of a shorter soak, as a share of its length. */
const WARMUP_SHARE = 0.25;
/** Blocks per third: consecutive samples are correlated, medians of blocks much less. */
const BLOCKS = 8;
/**
 * Allowed growth of memory in bytes if the soak is too short for the full warm-up. V8 lets the heap grow
 * in the first minutes: RSS went from 150 to 320 MiB in three minutes, and then stayed there.
 */
const YOUNG_HEAP_BYTES = 128 * 2 ** 20;
/**
 * Allowed growth of relative latencies if the soak is too short for the full warm-up: a few disturbances
 * of the machine weigh more than the server.
 */
const SHORT_P50 = 0.5;
const SHORT_P99 = 3;
/**
 * Drift of the null server's p50, up or down, beyond which latencies that grow are unclear: when other
 * programs saturate the machine, a server with several threads waits longer than the null server.
 */
const MAX_DRIFT = 0.25;
/** Allowed growth of descriptors: the number of connected clients varies. */
const SPARE_FILES = 2;
/** Allowed share of polite requests without a right response. */
const ALLOWED_FAILURES = 1e-4;

/** A quantity that must stay flat. */
interface Metric {
  readonly name: string;
  readonly unit: "MiB" | "" | "×";
  /** Returns its value in an interval; null: unknown. */
  of(sample: Sample): number | null;
  /** Allowed growth in addition to the share, in the metric's unit. */
  spare(isShort: boolean): number;
}

const MIB = 2 ** 20;

/** Latencies are relative to the null server's, which contain the delays of machine and client. */
const METRICS: readonly Metric[] = [
  {
    name: "memory (RSS)",
    unit: "MiB",
    of: ({ rssBytes }) => rssBytes / MIB,
    spare: (isShort) => isShort ? YOUNG_HEAP_BYTES / MIB : 0,
  },
  {
    name: "memory (PSS)",
    unit: "MiB",
    of: ({ pssBytes }) => pssBytes === null ? null : pssBytes / MIB,
    spare: (isShort) => isShort ? YOUNG_HEAP_BYTES / MIB : 0,
  },
  { name: "descriptors", unit: "", of: ({ files }) => files, spare: () => SPARE_FILES },
  {
    name: "p50 of /, relative",
    unit: "×",
    of: ({ latency, reference }) => latency && reference && latency.p50 / reference.p50,
    spare: (isShort) => isShort ? SHORT_P50 : 0,
  },
  {
    name: "p99 of /, relative",
    unit: "×",
    of: ({ latency, reference }) => latency && reference && latency.p99 / reference.p99,
    spare: (isShort) => isShort ? SHORT_P99 : 0,
  },
];

/** Change of a metric from the first to the last third. */
export interface Trend {
  readonly name: string;
  readonly unit: Metric["unit"];
  /** Medians of the two thirds. */
  readonly first: number;
  readonly last: number;
  /** Ratio of the last to the first third (Hodges-Lehmann) with its 95 % confidence interval. */
  readonly ratio: number;
  readonly confidenceInterval: { readonly low: number; readonly high: number } | null;
  /**
   * `flat`: the interval is below the allowed share. `grown`: the interval is above it. `unclear`: the
   * interval contains it. `allowed`: above it, but within the metric's additional allowance.
   */
  readonly verdict: "flat" | "allowed" | "grown" | "unclear";
}

/** Verdict on a soak. */
export interface Verdict {
  readonly warmupS: number;
  readonly trends: readonly Trend[];
  /** Change of the null server's own p50, as a share: the drift of the machine. */
  readonly drift: number | null;
  /** Number of polite requests, and the share without a right response. */
  readonly requests: number;
  readonly failedShare: number;
  /** There are samples after the warm-up, no metric has grown, and the share of failed requests is allowed. */
  readonly isFine: boolean;
}

/** Returns the warm-up of a soak of this length, in seconds. */
export function warmupOf(seconds: number): number {
  return Math.min(WARMUP_S, WARMUP_SHARE * seconds);
}

/**
 * Judges the samples of a soak, which may have been stopped early.
 *
 * @param warmupS seconds of samples that are left out
 */
export function judgeSoak(
  samples: readonly Sample[],
  warmupS = warmupOf(samples.at(-1)?.atS ?? 0),
): Verdict {
  const warm = samples.filter(({ atS }) => atS > warmupS);
  const third = Math.floor(warm.length / 3);
  const [first, last] = [warm.slice(0, third), warm.slice(warm.length - third)];
  const drift = changeOf(first, last, ({ reference }) => reference?.p50 ?? null);
  const isDisturbed = Math.abs(drift ?? 0) > MAX_DRIFT;
  const trends = METRICS.flatMap((metric) => {
    const trend = trendOf(metric, first, last, warmupS < WARMUP_S);
    if (trend === null) return [];
    const isHidden = isDisturbed && trend.unit === "×" && trend.verdict === "grown";
    return [isHidden ? { ...trend, verdict: "unclear" as const } : trend];
  });
  const sum = (of: (sample: Sample) => number): number =>
    samples.reduce((total, sample) => total + of(sample), 0);
  const [right, wrong] = [
    sum((sample) => sample.right),
    sum(({ refused, failed }) => refused + failed),
  ];
  const failedShare = right + wrong === 0 ? 1 : wrong / (right + wrong);
  return {
    warmupS,
    trends,
    drift,
    requests: right + wrong,
    failedShare,
    isFine: failedShare <= ALLOWED_FAILURES && trends.length > 0 &&
      trends.every(({ verdict }) => verdict !== "grown"),
  };
}

function trendOf(
  { name, unit, of, spare }: Metric,
  first: readonly Sample[],
  last: readonly Sample[],
  isShort: boolean,
): Trend | null {
  const [a, b] = [first, last].map((samples) => known(samples, of));
  if (!a?.length || !b?.length) return null;
  const ratio = independentRatio(blockMedians(b), blockMedians(a));
  if (ratio === null) return null;
  const { estimate, confidenceInterval } = ratio;
  const growth = median(b) - median(a);
  const verdict =
    growth <= 0 || (confidenceInterval !== null && confidenceInterval.high <= 1 + ALLOWED)
      ? "flat"
      : growth <= spare(isShort)
      ? "allowed"
      : confidenceInterval !== null && confidenceInterval.low > 1 + ALLOWED
      ? "grown"
      : "unclear";
  return {
    name,
    unit,
    first: median(a),
    last: median(b),
    ratio: estimate,
    confidenceInterval,
    verdict,
  };
}

function known(samples: readonly Sample[], of: Metric["of"]): number[] {
  return samples.flatMap((sample) => of(sample) ?? []).filter((value) => value > 0);
}

function changeOf(
  first: readonly Sample[],
  last: readonly Sample[],
  of: Metric["of"],
): number | null {
  const [a = [], b = []] = [first, last].map((samples) => known(samples, of));
  return a.length === 0 || b.length === 0 ? null : median(b) / median(a) - 1;
}

/** Returns the medians of equally long blocks. */
function blockMedians(values: readonly number[]): number[] {
  const count = Math.min(BLOCKS, values.length);
  return Array.from({ length: count }, (_block, i) =>
    median(
      values.slice(
        Math.floor(i * values.length / count),
        Math.floor((i + 1) * values.length / count),
      ),
    ));
}
