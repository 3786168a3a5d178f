import type { Latency } from "../../model/raw.ts";
import { describe, newHistogram, record } from "../../stats/histogram.ts";
import * as tool from "./tool.ts";

const LOG = "requests.log";
/** Longest load with a log of requests, in seconds: each response takes 26 bytes of memory. */
const LONGEST_LOG_S = 60;
/** Maximum number of requests with a log, if the load ends after a number of requests. */
const MOST_LOGGED = 5_000_000;

/**
 * Seconds until the first TLS handshake at a new server, and for each handshake. On two busy cores, 1000
 * handshakes took 1.3 s.
 */
const STARTS_S = 1;
const HANDSHAKE_S = 0.004;

/** h2load of nghttp2. Latencies come from its log, because its text has no percentiles. */
export const h2load: tool.Tool = {
  id: "h2load",
  version: { command: ["h2load", "--version"], pattern: /^h2load nghttp2\/(\S+)/m },
  install: "apt-get install nghttp2-client, brew install nghttp2, or https://nghttp2.org",
  requests: true,
  stepS: 0.1,
  sendsHead: false,
  skipsInterim: true,
  http: "1.1",
  tls: ["http/1.1", "h2"],
  shortestOverTlsS: (connections) => STARTS_S + HANDSHAKE_S * connections,
  hangs:
    "h2load does not end if a TLS handshake ends after its load: use a longer --warmup and --duration",
  threads: "configured",
  exposes: ["query", "headers"],
  latencyNote: null,
  startsWith: "spawning thread",
  invoke: (load) => ({
    argv: [
      ...tool.words(`h2load --clients ${load.connections}`),
      ...["--threads", `${Math.min(load.threads, load.connections)}`],
      ...tool.words("--max-concurrent-streams 1"),
      ...(load.alpn === "h2" ? [] : ["--h1"]),
      ...(load.seconds === null
        ? ["--requests", `${load.requests}`]
        : ["--duration", tool.milliseconds(load.seconds)]),
      ...tool.words(`--connection-inactivity-timeout ${tool.milliseconds(load.timeoutS)}`),
      ...(isLogged(load) ? [`--log-file={DIR}/${LOG}`] : []),
      ...(load.request.body === null ? [] : ["--data", "{DIR}/body"]),
      "--header",
      `:method: ${load.request.method}`,
      ...Object.entries(load.request.headers).flatMap(([name, value]) => [
        "--header",
        `${name.toLowerCase() === "host" ? ":authority" : name}: ${value}`,
      ]),
      load.url,
    ],
    files: load.request.body === null ? {} : { body: load.request.body },
    result: isLogged(load) ? LOG : null,
  }),
  read: ({ stdout, result }) => {
    const count = (what: string): number =>
      tool.countIn(stdout, new RegExp(`^requests: .* (\\d+) ${what}`, "m"));
    if (count("started") === 0) throw new SyntaxError("h2load could not connect");
    const done = result === null ? null : doneIn(result);
    const isWhole = result === null || result === "" || result.endsWith("\n");
    if (!isWhole || done !== null && (done.latency?.count ?? 0) !== count("done")) {
      throw new SyntaxError("h2load's log is incomplete");
    }
    const timeouts = count("timeout");
    return {
      durationS: lengthIn(stdout, count("done")),
      statuses: done?.statuses ?? classesIn(stdout),
      transportErrors: Math.max(0, count("errored") - timeouts),
      timeouts,
      bytes: tool.numberIn(stdout, /^traffic: \S+ \((\d+)\) total/m, "h2load's received bytes"),
      latency: done?.latency ?? null,
    };
  },
};

function isLogged({ seconds, requests }: tool.ToolLoad): boolean {
  return seconds === null ? (requests ?? 0) <= MOST_LOGGED : seconds <= LONGEST_LOG_S;
}

/** Returns the length in seconds, computed from the rate, which h2load does not round. */
function lengthIn(text: string, done: number): number {
  const perS = tool.numberIn(text, /^finished in \S+, ([\d.]+) req\/s/m, "h2load's request rate");
  if (done > 0) return done / perS;
  const unit = /^finished in [\d.]+(us|ms|s|m)/m.exec(text)?.[1] ?? "s";
  const seconds = { us: 1e-6, ms: 1e-3, s: 1, m: 60 }[unit] ?? 1;
  return seconds * tool.numberIn(text, /^finished in ([\d.]+)/m, "h2load's duration");
}

/** Returns the counts of the status classes; h2load's text has no exact statuses. */
function classesIn(text: string): Record<string, number> {
  const count = (name: string): number =>
    tool.countIn(text, new RegExp(`^status codes: .*?(\\d+) ${name}`, "m"));
  return Object.fromEntries(["2xx", "3xx", "4xx", "5xx"].map((name) => [name, count(name)]));
}

/** Reads the log. Each line has the send time, the status, and the response time in µs. */
function doneIn(log: string): { statuses: Record<string, number>; latency: Latency | null } {
  const statuses = new Map<string, number>();
  const histogram = newHistogram();
  for (const line of log.split("\n")) {
    if (line === "") continue;
    const [, status, us] = /^\d+\t(-1|\d{3})\t(\d+)$/.exec(line) ?? [];
    if (status === undefined) throw new SyntaxError("h2load's log has an invalid line");
    if (status === "-1") continue; // no response
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    record(histogram, Number(us) / 1000);
  }
  const latency = statuses.size === 0 ? null : describe(histogram);
  return { statuses: Object.fromEntries(statuses), latency };
}
