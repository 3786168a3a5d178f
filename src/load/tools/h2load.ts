import type { HttpRequest } from "../../model/scenario.ts";
import type { Latency } from "../../model/raw.ts";
import { describe, newHistogram } from "../../stats/histogram.ts";
import { counted, countIn, demandSuccess, milliseconds, numberIn, positive } from "./shared.ts";
import type { Tool, ToolLoad } from "./tool.ts";

const LOG = "requests.log";
/** It logs a line of 26 bytes for each response: beyond this a file would fill the memory. */
const LONGEST_LOG_S = 60;
const MOST_LOGGED = 5_000_000;

/** h2load of nghttp2, through its log of requests: its text rounds, and has no percentiles. */
export const h2load: Tool = {
  id: "h2load",
  version: { command: ["h2load", "--version"], pattern: /^h2load nghttp2\/(\S+)/m },
  install: "apt-get install nghttp2-client, brew install nghttp2, or https://nghttp2.org",
  abilities: {
    requests: true,
    stepS: 0.1,
    head: false,
    interim: true,
    http: "1.1",
    tls: ["http/1.1", "h2"],
    threads: "configured",
  },
  exposes: ["query", "headers"],
  latencyNote: null,
  startsWith: "spawning thread",
  invoke: (load) => ({
    argv: [
      "h2load",
      "--clients",
      String(load.connections),
      "--threads",
      String(Math.min(load.threads, load.connections)),
      "--max-concurrent-streams",
      "1",
      ...(load.alpn === "h2" ? [] : ["--h1"]),
      ...(load.seconds === null
        ? ["--requests", String(load.requests)]
        : ["--duration", milliseconds(load.seconds)]),
      "--connection-inactivity-timeout",
      milliseconds(load.timeoutS),
      ...(isLogged(load) ? [`--log-file={DIR}/${LOG}`] : []),
      ...requestOf(load.request),
      load.url,
    ],
    files: load.request.body === null ? {} : { body: load.request.body },
    result: isLogged(load) ? LOG : null,
  }),
  read: (output) => {
    demandSuccess("h2load", output);
    const { stdout, result } = output;
    const count = (what: string): number =>
      countIn(stdout, new RegExp(`^requests: .* (\\d+) ${what}`, "m"));
    if (count("started") === 0) throw new SyntaxError("h2load has connected to nothing");
    const done = result === null ? null : doneIn(result);
    const isWhole = result === null || result === "" || result.endsWith("\n");
    if (!isWhole || done !== null && (done.latency?.count ?? 0) !== count("done")) {
      throw new SyntaxError("h2load's log is not whole");
    }
    const timeouts = count("timeout");
    return {
      durationS: positive(lengthIn(stdout, count("done"))),
      statuses: done?.statuses ?? classesIn(stdout),
      transportErrors: Math.max(0, count("errored") - timeouts),
      timeouts,
      bytes: numberIn(stdout, /^traffic: \S+ \((\d+)\) total/m, "how much h2load received"),
      latency: done?.latency ?? null,
    };
  },
};

function isLogged({ seconds, requests }: ToolLoad): boolean {
  return seconds === null ? (requests ?? 0) <= MOST_LOGGED : seconds <= LONGEST_LOG_S;
}

function requestOf({ method, headers, body }: HttpRequest): string[] {
  return [
    ...(body === null ? [] : ["--data", "{DIR}/body"]),
    "--header",
    `:method: ${method}`,
    ...Object.entries(headers).flatMap((
      [name, value],
    ) => ["--header", `${name.toLowerCase() === "host" ? ":authority" : name}: ${value}`]),
  ];
}

/** How long it loaded, in seconds: it rounds that, and says it in the unit that it likes best, but not the rate. */
function lengthIn(text: string, done: number): number {
  const perS = numberIn(text, /^finished in \S+, ([\d.]+) req\/s/m, "how fast h2load was");
  if (done > 0) return done / perS;
  const unit = /^finished in [\d.]+(us|ms|s|m)/m.exec(text)?.[1] ?? "s";
  const seconds = { us: 1e-6, ms: 1e-3, s: 1, m: 60 }[unit] ?? 1;
  return seconds * numberIn(text, /^finished in ([\d.]+)/m, "how long h2load took");
}

/** The first digits of the statuses are all that its text tells. */
function classesIn(text: string): Record<string, number> {
  const classes = ["2xx", "3xx", "4xx", "5xx"];
  return counted(Object.fromEntries(
    classes.map((
      name,
    ) => [name, countIn(text, new RegExp(`^status codes: .*?(\\d+) ${name}`, "m"))]),
  ));
}

/** What its log says: when each request was sent, the status of its response, and microseconds to its end. */
function doneIn(log: string): { statuses: Record<string, number>; latency: Latency | null } {
  const statuses = new Map<string, number>();
  const histogram = newHistogram();
  for (const line of log.split("\n")) {
    if (line === "") continue;
    const [, status, us] = /^\d+\t(-1|\d{3})\t(\d+)$/.exec(line) ?? [];
    if (status === undefined) throw new SyntaxError("h2load's log has a line that is none");
    if (status === "-1") continue; // it had no response
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    histogram.recordValue(Math.min(Math.max(1, Number(us)), histogram.highestTrackableValue));
  }
  const latency = statuses.size === 0 ? null : describe(histogram);
  return { statuses: Object.fromEntries(statuses), latency };
}
