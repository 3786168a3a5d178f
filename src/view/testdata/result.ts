/** A result of one server at one scenario. */
import type {
  Bottleneck,
  ComponentEvidence,
  Estimate,
  Evidence,
  Reason,
  Result,
} from "../../model/derived.ts";
import { ofFigures } from "../../model/figures.ts";

/** Returns a reason with the text of another program. */
export function messageReason(text: string): Reason {
  return { kind: "message", text };
}

/** Returns an estimate with an interval from the lowest to the highest round. */
export function estimate(median: number, low: number, high: number): Estimate {
  return {
    median,
    min: low,
    max: high,
    confidenceInterval: { low, high, coverage: 0.969 },
    cv: 0.02,
    mad: median / 100,
    outlierRounds: [],
    minimumDetectableChange: 0.033,
  };
}

function part(
  cores: number,
  wantedCores: number,
  busiestThread: number,
  runQueueWait: number,
): ComponentEvidence {
  return { cores, wantedCores, busiestThread, runQueueWait };
}

/** Evidence in which no two figures are the same. */
const EVIDENCE: Evidence = {
  server: part(0.71, 0.75, 0.68, 0.052),
  database: part(0.12, 0.14, 0.11, 0.021),
  generator: part(0.97, 0.98, 0.96, 0.013),
  machine: { idle: 0.1, steal: 0.004, otherCores: 0.17 },
  little: 0.99,
  ceilingPerS: 80_000,
  isCeilingReached: true,
  scaleGain: 0.34,
  connectionsGain: null,
};

export const BOTTLENECK: Bottleneck = {
  kind: "generator",
  reasons: [messageReason("the load generator was busy")],
  needsScaleTest: null,
  evidence: EVIDENCE,
};

export const RESULT: Result = {
  variant: "deno",
  scenario: "text",
  connections: 10,
  perS: null,
  status: "ok",
  reason: null,
  rounds: 6,
  failedRounds: 0,
  ...ofFigures(() => null),
  requestsPerS: estimate(77_640.4, 70_001, 80_000),
  isTakenOver: false,
  isLowerBound: true,
  capacityPerCore: 133_333,
  serverCpuUs: estimate(7.5, 7.1, 7.9),
  systemShare: 0.7,
  p50Us: 119,
  p99Us: 2_010_000,
  latencyAbsence: null,
  kinds: [],
  probe: {
    responses: 558,
    perS: 62,
    p50Us: 600,
    p99Us: 2200,
    sendLatenessP99Us: 1490,
    detects: 0.005,
  },
  probeAbsence: null,
  idleRssBytes: 100 * 2 ** 20,
  peakRssBytes: 166 * 2 ** 20,
  statementsPerResponse: 1.0006,
  climbing: null,
  trend: 0,
  bottleneck: BOTTLENECK,
  rank: null,
  responses: 500_000,
  checkedBodies: 500_000,
  errors: { transport: 0, timeout: 0, non2xx: 0, probe: 0 },
};

/** A result without a rate. */
export const WITHOUT_RATE: Result = {
  ...RESULT,
  requestsPerS: null,
  isLowerBound: false,
  capacityPerCore: null,
  serverCpuUs: null,
  bottleneck: null,
  probe: null,
  probeAbsence: null,
};
