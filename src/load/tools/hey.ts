import type { HttpRequest } from "../../model/scenario.ts";
import type { Latency } from "../../model/raw.ts";
import { demandSuccess, milliseconds, numberIn, positive, toUs } from "./shared.ts";
import type { Tool, ToolLoad } from "./tool.ts";

/** It keeps no more than this of its responses, and says nothing about it. */
const MOST_RESPONSES = 1_000_000;
/** Half of the last digit that it prints. */
const ROUNDING = 0.00005;

const TIMEOUT = /Client\.Timeout|deadline exceeded/;

/** Something, and how often it came. */
type HeyRow = readonly [string, number];

/** hey, through its text: its CSV has the same digits, and a line for each response. */
export const hey: Tool = {
  id: "hey",
  // It does not tell its version: its help speaks of 0.0.1 in all of them.
  version: { command: ["hey", "-h"], pattern: /^hey version (\S+)/m },
  install: "go install github.com/rakyll/hey@latest, or brew install hey",
  abilities: {
    requests: true,
    stepS: 0.1,
    head: true,
    interim: true,
    http: "1.1",
    tls: ["http/1.1"],
    threads: "cores",
  },
  exposes: ["query", "headers"],
  latencyNote: "hey tells latencies in steps of 100 µs, and nothing between the 99th percentile " +
    "and the longest",
  startsWith: null,
  invoke: (load) => ({
    argv: [
      "hey",
      "-c",
      String(load.connections),
      ...lengthOf(load),
      "-t",
      String(Math.ceil(load.timeoutS)),
      "-disable-redirects",
      "-disable-compression",
      ...requestOf(load.request),
      load.url,
    ],
    files: load.request.body === null ? {} : { body: load.request.body },
    result: null,
  }),
  read: (output) => {
    demandSuccess("hey", output);
    const { stdout } = output;
    const durationS = positive(numberIn(stdout, /^ +Total:\t([\d.]+) secs$/m, "how long hey took"));
    const statuses = rowsOf(stdout, "Status code", /\[(\d+)\]\t(\d+) responses/g)
      .map(([status, count]): HeyRow => [status, Number(count)]);
    const errors = rowsOf(stdout, "Error", /\[(\d+)\]\t(.*)/g)
      .map(([count, message]): HeyRow => [message, Number(count)]);
    const responses = sum(statuses);
    demandAll(stdout, durationS, responses + sum(errors));
    return {
      durationS,
      statuses: Object.fromEntries(statuses),
      // A response that breaks off is not among them: hey does not notice.
      transportErrors: sum(errors.filter(([message]) => !TIMEOUT.test(message))),
      timeouts: sum(errors.filter(([message]) => TIMEOUT.test(message))),
      bytes: null, // its total is that of the announced lengths, without the headers
      latency: responses === 0 ? null : latencyOf(responses, stdout),
    };
  },
};

/** Each connection sends as many requests as the others; hey leaves out those that remain. */
function lengthOf({ seconds, requests, connections }: ToolLoad): string[] {
  if (seconds !== null) return ["-z", milliseconds(seconds)];
  return ["-n", String(Math.ceil((requests ?? 0) / connections) * connections)];
}

function requestOf({ method, headers, body }: HttpRequest): string[] {
  return [
    "-m",
    method,
    ...(body === null ? [] : ["-D", "{DIR}/body"]),
    ...Object.entries(headers).flatMap(([name, value]) =>
      // The one header that Go takes from elsewhere.
      name.toLowerCase() === "host" ? ["-host", value] : ["-H", `${name}: ${value}`]
    ),
  ];
}

/** The rows of one of its two distributions; it leaves out an empty one. */
function rowsOf(text: string, name: string, row: RegExp): [string, string][] {
  const block = new RegExp(`^${name} distribution:((?:\\n +\\[\\d+\\]\\t.*)*)`, "m").exec(text);
  return [...(block?.[1] ?? "").matchAll(row)]
    .map(([, first = "", second = ""]) => [first, second]);
}

/**
 * Its rate counts every request, and its lists end with the first million: where they do not add
 * up, the rate of right responses is not known, and neither is anything else but the duration.
 */
function demandAll(text: string, durationS: number, listed: number): void {
  const rate = numberIn(text, /^ +Requests\/sec:\t([\d.]+)$/m, "hey's rate");
  const least = (rate - ROUNDING) * (durationS - ROUNDING);
  const most = (rate + ROUNDING) * (durationS + ROUNDING);
  if (listed >= least - 1 && listed <= most + 1) return;
  throw new SyntaxError(
    `hey lists ${listed} of ${Math.round(rate * durationS)} requests: ` +
      `it keeps only ${MOST_RESPONSES} responses, so ask for fewer`,
  );
}

function latencyOf(count: number, text: string): Latency {
  // What is less than half a step is printed as 0: it is not known.
  const known = (seconds: number): number | null => seconds === 0 ? null : toUs(seconds, 1e6);
  const summary = (name: string): number | null =>
    known(numberIn(text, new RegExp(`^ +${name}:\\t([\\d.]+) secs$`, "m"), `hey's ${name}`));
  const percentile = (percent: number): number | null => {
    // Versions differ in how many signs they print; of few responses it leaves out some rows.
    const row = new RegExp(`^ +${percent}%{1,2} in ([\\d.]+) secs$`, "m");
    return known(Number(row.exec(text)?.[1] ?? 0));
  };
  return {
    count,
    meanUs: summary("Average"),
    minUs: summary("Fastest"),
    p50Us: percentile(50),
    p90Us: percentile(90),
    p99Us: percentile(99),
    p999Us: null,
    maxUs: summary("Slowest"),
    histogram: null,
  };
}

function sum(rows: readonly HeyRow[]): number {
  return rows.reduce((total, [, count]) => total + count, 0);
}
