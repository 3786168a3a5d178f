/** Reports with response times and capacities, for tests. */
import type { Capacity, LatencySummary, OpenLoopResult } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { REPORT } from "../report_testdata.ts";
import { RESULT } from "./result.ts";

/** Returns latencies with this median, in microseconds, and percentiles in proportion. */
export function timesOf(p50Us: number): LatencySummary {
  return {
    count: 10_000,
    meanUs: 1.2 * p50Us,
    p50Us,
    p90Us: 2 * p50Us,
    p99Us: 4 * p50Us,
    p999Us: 6 * p50Us,
    maxUs: 10 * p50Us,
  };
}

export const OPEN_LOOP_RESULT: OpenLoopResult = {
  variant: "deno",
  scenario: "text",
  connections: 256,
  perS: 500,
  status: "ok",
  rounds: 3,
  offered: 2250,
  sent: 2250,
  failed: 0,
  refused: 0,
  unanswered: 0,
  shed: 0,
  goodputPerS: 499,
  besidePerS: null,
  recoveryS: 0.002,
  responseTime: timesOf(1000),
  lateness: timesOf(10),
  wait: timesOf(20),
  serviceTime: timesOf(970),
  measurableUpTo: 0.999,
};

export const CAPACITY: Capacity = {
  variant: "deno",
  scenario: "text",
  connections: 256,
  startPerS: 700,
  heldPerS: 1000,
  failedPerS: 1090,
  isOfGenerator: false,
  bottleneck: RESULT.bottleneck,
  trials: [
    { perS: 1000, isFresh: false, isMet: true, isMeasurable: true, achievedPerS: 998 },
    { perS: 1090, isFresh: false, isMet: false, isMeasurable: true, achievedPerS: 1040 },
  ],
  reason: null,
};

const CURVE: readonly OpenLoopResult[] = [250, 500, 900].map((perS) => ({
  ...OPEN_LOOP_RESULT,
  perS,
  responseTime: timesOf(perS),
}));

/** A report of one server's capacity, and of response times at shares of it. */
export const CAPACITIES: Report = {
  ...REPORT,
  experiment: {
    ...REPORT.experiment,
    kind: "capacity",
    scenarios: ["text"],
    load: {
      ...REPORT.experiment.load,
      open: { perS: {}, closedLoopPerS: {}, arrivals: "poisson" },
    },
    search: {
      slo: { latencies: [{ percentile: 0.99, us: 10_000 }], errorShare: 0.001 },
      width: 0.1,
      shares: [0.25, 0.5, 0.9],
    },
  },
  trialResults: [],
  results: CURVE.map(({ perS }) => ({ ...RESULT, connections: 256, perS })),
  openChecks: [{
    perS: 700,
    arrivals: "poisson",
    serviceUs: 500,
    aloneUs: 600,
    offered: 1400,
    expected: { p50Us: 700, p90Us: 1500, p99Us: 2500 },
    found: { p50Us: 710, p90Us: 1510, p99Us: 3510 },
  }],
  openLoopResults: CURVE,
  capacities: [CAPACITY],
};
