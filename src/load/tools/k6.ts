import * as tool from "./tool.ts";

/** The line that the script logs before the first request. */
const STARTED = "stampede: the load starts";
/** Prefix of its counters for statuses other than 200. */
const STATUS = "status_";

/** k6's names of the figures of a latency. */
const FIGURES = {
  meanUs: "avg",
  minUs: "min",
  p50Us: "med",
  p90Us: "p(90)",
  p99Us: "p(99)",
  p999Us: "p(99.9)",
  maxUs: "max",
};

/**
 * Returns the script that k6 runs.
 *
 * k6 also counts responses after the end of the load, so the script has separate counters. Each
 * sample takes time, so a correct response adds only one sample, its latency. The number of
 * responses with status 200 follows from the other counters.
 */
function scriptOf({ request, connections, seconds, requests, ...load }: tool.ToolLoad): string {
  const scenario = {
    vus: connections,
    gracefulStop: "0s",
    ...(seconds === null
      ? {
        executor: "shared-iterations",
        iterations: Math.max(requests ?? 0, connections),
        maxDuration: "24h",
      }
      : { executor: "constant-vus", duration: tool.milliseconds(seconds) }),
  };
  const timeout = tool.milliseconds(load.timeoutS);
  const params = { headers: request.headers, timeout, redirects: 0 };
  const target = [request.method, load.url, request.body].map((value) => JSON.stringify(value))
    .join(", ");
  const isTimed = seconds !== null;
  return `import http from "k6/http";
import exec from "k6/execution";
import { Counter, Gauge, Trend } from "k6/metrics";

export const options = {
  scenarios: { load: ${JSON.stringify(scenario)} },
  discardResponseBodies: true,
  insecureSkipTLSVerify: ${load.alpn !== null},
  systemTags: [],
  summaryTrendStats: ${JSON.stringify([...Object.values(FIGURES), "count"])},
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
    answer = http.request(${target}, params);
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

const RESULT = "summary.json";

/** k6 1.0 or later. Figures come from the summary that its script receives at the end. */
export const k6: tool.Tool = {
  id: "k6",
  version: { command: ["k6", "version"], pattern: /^k6 v(\S+)/m },
  install: "go install go.k6.io/k6@latest, brew install k6, or https://k6.io",
  requests: true,
  stepS: 1,
  sendsHead: true,
  skipsInterim: true,
  http: "1.1",
  tls: ["h2"],
  threads: "cores",
  exposes: [],
  latencyNote:
    "k6 reports the time of sending, waiting and receiving, without the time of its JavaScript",
  startsWith: STARTED,
  invoke: (load) => ({
    argv: [
      ...tool.words("k6 run --quiet --no-color --no-usage-report"),
      ...["--address", ""], // no API server
      ...tool.words(`--env SUMMARY={DIR}/${RESULT} {DIR}/load.js`),
    ],
    files: { "load.js": scriptOf(load) },
    result: RESULT,
  }),
  read: ({ result }) => {
    const summary = new tool.Printed("k6", result);
    const metrics = summary.object("metrics");
    const number = (name: string, figure: string): number =>
      summary.number("metrics", name, "values", figure);
    const count = (name: string): number => summary.count("metrics", name, "values", "count");
    // k6 omits metrics without samples.
    const countOrNone = (name: string): number => name in metrics ? count(name) : 0;
    const others = Object.keys(metrics).filter((name) => name.startsWith(STATUS))
      .map((name): [string, number] => [name.slice(STATUS.length), count(name)]);
    const responses = countOrNone("latency");
    const ok = responses - tool.total(others);
    return {
      durationS: summary.at("seconds") === null
        ? (number("moment", "max") - number("moment", "min")) / 1000 // first request to last response
        : summary.number("seconds"),
      statuses: { "200": ok, ...Object.fromEntries(others) },
      transportErrors: countOrNone("transport_errors"),
      timeouts: countOrNone("timeouts"),
      bytes: count("data_received"),
      latency: responses === 0 ? null : tool.latencyOf(
        responses,
        FIGURES,
        (figure) => tool.toUs(number("latency", figure), 1e3),
      ),
    };
  },
};
