/** Runner files for tests. */
import type { RunnerFile } from "../model/distributed.ts";
import { totalOf } from "../stats/histogram.ts";
import type { ExportedLoad } from "./exported.ts";
import type { RunnerPods } from "./kubernetes.ts";

/** The file of one of two runners. */
export const RUNNER: RunnerFile = {
  format: "stampede-runner",
  version: 1,
  buckets: 1,
  test: "0123456789abcdef",
  target: "http://10.0.0.7:8000",
  segment: "0:1/2",
  users: 256,
  startedAt: "2026-11-23T18:00:00.000Z",
  endedAt: "2026-11-23T18:00:30.000Z",
  slo: { latencies: [{ percentile: 0.99, us: 50_000 }], errorShare: 0.001 },
  scenarios: [{
    id: "text",
    perS: 200,
    durationS: 30,
    right: 3000,
    refused: 0,
    wrong: 0,
    failed: 0,
    dropped: 0,
    buckets: { "40": 2900, "50": 80, "60": 20 },
  }],
};

/** Origin of a merged report. */
export const ORIGIN = { id: "0", program: ["bench"], command: ["bench", "import"], versions: {} };

/** Returns a runner of the same load with another segment. */
export function runnerOf(
  segment: string,
  buckets: Readonly<Record<string, number>>,
  counts: Partial<RunnerFile["scenarios"][number]> = {},
): RunnerFile {
  const [text] = RUNNER.scenarios;
  if (text === undefined) throw new Error("no scenario");
  const { refused = 0, wrong = 0, failed = 0 } = counts;
  const right = totalOf(buckets) - refused - wrong - failed;
  return { ...RUNNER, segment, scenarios: [{ ...text, ...counts, right, buckets }] };
}

/** Returns the text of a runner's file. */
export function textOf(runner: RunnerFile): string {
  return `${JSON.stringify(runner)}\n`;
}

/** A load with some secret values. */
export const LOAD: ExportedLoad = {
  scenarios: [{
    id: "search",
    title: "GET /search",
    key: "search",
    underLoad: /^\[.*\]\/?$/,
    request: {
      method: "GET",
      path: ["/search?q=", { variable: "SEARCH_QUERY_Q_1" }],
      headers: {
        accept: ["application/json"],
        authorization: [{ variable: "SEARCH_HEADER_AUTHORIZATION" }],
      },
      body: null,
    },
  }, {
    id: "order",
    title: "POST /orders",
    key: "order",
    underLoad: "stable",
    request: {
      method: "POST",
      path: ["/orders"],
      headers: { "content-type": ["application/json"] },
      body: ['{"n":1}'],
    },
  }],
  perS: 1000,
  durationS: 30,
  slo: { latencies: [{ percentile: 0.99, us: 50_000 }], errorShare: 0.001 },
  users: 256,
  target: "http://10.0.0.7:8000",
  program: ["deno", "task", "bench"],
};

/** Runners of that load on Kubernetes. */
export const PODS: RunnerPods = { parallelism: 4, cpu: "1", memory: "1Gi" };
