import type { Latency } from "../../model/raw.ts";
import { scriptOf, STARTED, STATUS } from "./k6_script.ts";
import {
  countAt,
  counted,
  demandSuccess,
  numberAt,
  objectAt,
  parseJson,
  positive,
  toUs,
} from "./shared.ts";
import type { Tool } from "./tool.ts";

const RESULT = "summary.json";

/** k6 1.0 or later. Figures come from the summary that its script receives at the end. */
export const k6: Tool = {
  id: "k6",
  version: { command: ["k6", "version"], pattern: /^k6 v(\S+)/m },
  install: "go install go.k6.io/k6@latest, brew install k6, or https://k6.io",
  abilities: {
    requests: true,
    stepS: 1,
    head: true,
    interim: true,
    http: "1.1",
    tls: ["h2"],
    threads: "cores",
  },
  exposes: [],
  latencyNote:
    "k6 reports the time of sending, waiting and receiving, without the time of its JavaScript",
  startsWith: STARTED,
  invoke: (load) => ({
    argv: [
      "k6",
      "run",
      "--quiet",
      "--no-color",
      "--no-usage-report",
      "--address",
      "",
      "--env",
      `SUMMARY={DIR}/${RESULT}`,
      "{DIR}/load.js",
    ],
    files: { "load.js": scriptOf(load) },
    result: RESULT,
  }),
  read: (output) => {
    demandSuccess("k6", output);
    const parsed = parseJson("k6", output.result);
    const metrics = objectAt(parsed, "metrics");
    // k6 omits metrics without samples.
    const count = (name: string): number =>
      name in metrics ? countAt(metrics, name, "values", "count") : 0;
    const others = Object.keys(metrics).filter((name) => name.startsWith(STATUS))
      .map((name): [string, number] => [name.slice(STATUS.length), count(name)]);
    const responses = count("latency");
    const ok = responses - others.reduce((total, [, other]) => total + other, 0);
    return {
      durationS: positive(durationOf(parsed)),
      statuses: counted({ "200": ok, ...Object.fromEntries(others) }),
      transportErrors: count("transport_errors"),
      timeouts: count("timeouts"),
      bytes: countAt(metrics, "data_received", "values", "count"),
      latency: responses === 0 ? null : latencyOf(metrics),
    };
  },
};

/**
 * Returns the configured duration in seconds; without one, the time from the first request to the last
 * response.
 */
function durationOf(parsed: unknown): number {
  if (objectAt(parsed).seconds !== null) return numberAt(parsed, "seconds");
  const moment = (name: string): number => numberAt(parsed, "metrics", "moment", "values", name);
  return (moment("max") - moment("min")) / 1000;
}

function latencyOf(metrics: unknown): Latency {
  const value = (name: string): number => numberAt(metrics, "latency", "values", name);
  return {
    count: value("count"),
    meanUs: toUs(value("avg"), 1e3),
    minUs: toUs(value("min"), 1e3),
    p50Us: toUs(value("med"), 1e3),
    p90Us: toUs(value("p(90)"), 1e3),
    p99Us: toUs(value("p(99)"), 1e3),
    p999Us: toUs(value("p(99.9)"), 1e3),
    maxUs: toUs(value("max"), 1e3),
    histogram: null,
  };
}
