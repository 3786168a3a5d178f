import type { ToolLoad } from "./tool.ts";
import { milliseconds } from "./shared.ts";

/** The line that the script logs before the first request. */
export const STARTED = "stampede: the load starts";
/** Prefix of its counters for statuses other than 200. */
export const STATUS = "status_";

/**
 * Returns the script that k6 runs.
 *
 * k6 also counts responses after the end of the load. The script therefore has separate counters, only for
 * responses before the end. Each sample takes time, so a correct response adds only one sample, its latency.
 * The number of responses with status 200 follows from the other counters.
 */
export function scriptOf({ request, connections, seconds, requests, ...load }: ToolLoad): string {
  const scenario = {
    vus: connections,
    gracefulStop: "0s",
    ...(seconds === null
      ? {
        executor: "shared-iterations",
        iterations: Math.max(requests ?? 0, connections),
        maxDuration: "24h",
      }
      : { executor: "constant-vus", duration: milliseconds(seconds) }),
  };
  const params = {
    headers: request.headers,
    timeout: milliseconds(load.timeoutS),
    redirects: 0,
  };
  const isTimed = seconds !== null;
  return `import http from "k6/http";
import exec from "k6/execution";
import { Counter, Gauge, Trend } from "k6/metrics";

export const options = {
  scenarios: { load: ${JSON.stringify(scenario)} },
  discardResponseBodies: true,
  insecureSkipTLSVerify: ${load.alpn !== null},
  systemTags: [],
  summaryTrendStats: ["avg", "min", "med", "max", "p(90)", "p(99)", "p(99.9)", "count"],
  throw: true, // otherwise k6 logs each failure
};

const latency = new Trend("latency", true);
const moment = new Gauge("moment", true);
const timeouts = new Counter("timeouts");
const transportErrors = new Counter("transport_errors");
const statuses = {};
for (let status = 100; status < 1000; status++) {
  if (status !== 200) statuses[status] = new Counter("${STATUS}" + status);
}

const params = ${JSON.stringify(params)};
let endsAt;

http.setResponseCallback(null);

function sinceStart() {
  return exec.instance.currentTestRunDuration; // milliseconds, on a monotonic clock
}

export function setup() {
  console.log("${STARTED}");
}

export default function () {
  if (endsAt === undefined) {
    endsAt = ${isTimed ? `sinceStart() + ${Math.round(1000 * seconds)}` : "Infinity"};
    ${isTimed ? "" : "moment.add(sinceStart());"}
  }
  let answer, error;
  try {
    answer = http.request(${
    [request.method, load.url, request.body].map((value) => JSON.stringify(value)).join(", ")
  }, params);
  } catch (thrown) {
    error = String(thrown);
  }
  if (sinceStart() >= endsAt) return;
  if (error !== undefined) {
    (/timeout$/.test(error) ? timeouts : transportErrors).add(1);
  } else {
    latency.add(answer.timings.duration);
    if (answer.status !== 200) statuses[answer.status].add(1);
  }
  ${isTimed ? "" : "moment.add(sinceStart());"}
}

export function handleSummary({ metrics }) {
  return { [__ENV.SUMMARY]: JSON.stringify({ seconds: ${JSON.stringify(seconds)}, metrics }) };
}
`;
}
