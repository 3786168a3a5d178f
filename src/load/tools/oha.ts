import type { Latency } from "../../model/raw.ts";
import {
  countAt,
  demandSuccess,
  headerOptions,
  milliseconds,
  numberAt,
  numberOrNullAt,
  objectAt,
  parseJson,
  positive,
  sum,
  type Tool,
  toUs,
  words,
} from "./tool.ts";

/** oha's name for requests that were in flight when its time was over. */
const CUT_OFF = "aborted due to deadline";
const TIMEOUT = "timeout";

/** oha 1.9 or later. Figures come from its JSON output. */
export const oha: Tool = {
  id: "oha",
  version: { command: ["oha", "--version"], pattern: /^oha (\S+)/m },
  install: "cargo install oha, brew install oha, or https://github.com/hatoo/oha",
  abilities: {
    requests: true,
    stepS: 0.1,
    sendsHead: true,
    skipsInterim: true,
    http: "1.1",
    tls: ["http/1.1", "h2"],
    threads: "cores",
  },
  exposes: ["query", "headers"],
  latencyNote: null,
  startsWith: null,
  invoke: ({ url, alpn, request, connections, seconds, requests, timeoutS }) => ({
    argv: [
      ...words(`oha --no-tui --output-format json -c ${connections}`),
      ...words(seconds === null ? `-n ${requests}` : `-z ${milliseconds(seconds)}`),
      ...words(`-t ${milliseconds(timeoutS)} --redirect 0 --disable-compression`),
      ...(alpn === null ? [] : ["--insecure", "--http-version", alpn === "h2" ? "2" : "1.1"]),
      ...["-m", request.method, ...headerOptions("-H", request.headers)],
      ...(request.body === null ? [] : ["-D", "{DIR}/body"]),
      url,
    ],
    files: request.body === null ? {} : { body: request.body },
    result: null,
  }),
  read: (output) => {
    demandSuccess("oha", output);
    const parsed = parseJson("oha", output.stdout);
    const statuses = Object.fromEntries(countsAt(parsed, "statusCodeDistribution"));
    const errors = countsAt(parsed, "errorDistribution").filter(([kind]) => kind !== CUT_OFF);
    return {
      durationS: positive(numberAt(parsed, "summary", "total")),
      statuses,
      transportErrors: total(errors.filter(([kind]) => kind !== TIMEOUT)),
      timeouts: total(errors.filter(([kind]) => kind === TIMEOUT)),
      bytes: null, // its `totalData` counts bodies without heads
      latency: latencyOf(parsed, sum(Object.values(statuses))),
    };
  },
};

function countsAt(parsed: unknown, key: string): [string, number][] {
  return Object.keys(objectAt(parsed, key)).map((name) => [name, countAt(parsed, key, name)]);
}

function total(counts: readonly [string, number][]): number {
  return sum(counts.map(([, count]) => count));
}

function latencyOf(parsed: unknown, count: number): Latency | null {
  if (count === 0) return null;
  const us = (...path: string[]): number | null => toUs(numberOrNullAt(parsed, ...path), 1e6);
  return {
    count,
    meanUs: us("summary", "average"),
    minUs: us("summary", "fastest"),
    p50Us: us("latencyPercentiles", "p50"),
    p90Us: us("latencyPercentiles", "p90"),
    p99Us: us("latencyPercentiles", "p99"),
    p999Us: us("latencyPercentiles", "p99.9"),
    maxUs: us("summary", "slowest"),
    histogram: null,
  };
}
