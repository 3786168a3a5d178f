import type { Latency } from "../../model/raw.ts";
import { describe, newHistogram } from "../../stats/histogram.ts";
import * as tool from "./tool.ts";

/** Beginning of the line that the script prints. */
const SENTINEL = "stampede:";

/** Latencies in microseconds, each with its number of requests. */
type WrkCounts = readonly (readonly [us: number, count: number])[];

/** wrk. Figures come from its Lua interface, because its text is rounded. */
export const wrk: tool.Tool = {
  id: "wrk",
  version: { command: ["wrk", "--version"], pattern: /^wrk (?:\w+\/)?(\S+)/m },
  install: "apt-get install wrk, brew install wrk, or https://github.com/wg/wrk",
  requests: false,
  stepS: 1,
  sendsHead: false,
  skipsInterim: false,
  http: "1.1",
  tls: ["http/1.1"],
  threads: "configured",
  exposes: ["query"],
  latencyNote:
    "wrk adds requests that it never sent to its histogram. Stampede removes them, so percentiles differ " +
    "from those that wrk prints",
  startsWith: null,
  invoke: (load) => ({
    argv: [
      ...tool.words(`wrk --threads ${threadsOf(load)} --connections ${load.connections}`),
      ...tool.words(`--duration ${load.seconds}s --timeout ${Math.ceil(load.timeoutS)}s`),
      ...tool.words("--script {DIR}/report.lua"),
      load.url,
    ],
    files: { "report.lua": scriptOf(load) },
    result: null,
  }),
  read: ({ stdout }) => {
    const line = stdout.split("\n").find((line) => line.startsWith(SENTINEL));
    const summary = new tool.Printed("wrk", line?.slice(SENTINEL.length) ?? null);
    const count = (key: string): number => summary.count(key);
    const responses = count("requests");
    return {
      durationS: count("durationUs") / 1e6,
      // wrk only reports the number of statuses above 399. The rest may include statuses below 200 or
      // above 299, but no server sends those to it.
      statuses: { "2xx": responses - count("status"), "4xx": count("status") },
      transportErrors: count("connect") + count("read") + count("write"),
      // These are late responses. wrk does not report requests that are never answered.
      timeouts: count("timeout") || null,
      bytes: count("bytes"),
      latency: latencyOf(summary, responses - count("timeout")),
    };
  },
};

/** Returns the number of threads. It must divide the connections, or wrk drops the remainder. */
function threadsOf({ connections, threads }: tool.ToolLoad): number {
  let count = Math.max(1, Math.min(threads, connections));
  while (connections % count !== 0) count--;
  return count;
}

/** Returns the script: the request, and one line of JSON at the end. */
function scriptOf({ connections, request: { method, headers, body } }: tool.ToolLoad): string {
  const request = [
    `wrk.method = ${quote(method)}`,
    ...Object.entries(headers).map(([name, value]) =>
      `wrk.headers[${quote(name)}] = ${quote(value)}`
    ),
    ...(body === null ? [] : [`wrk.body = ${quote(body)}`]),
  ];
  return `${request.join("\n")}
function done(summary, latency)
  -- Reading entry i takes time proportional to i, so this stops after 5 s
  local counts, deadline = {}, os.clock() + 5
  for i = 1, #latency do
    local us, count = latency(i)
    counts[i] = string.format("[%.0f,%.0f]", us, count)
    if os.clock() > deadline then
      counts = nil
      break
    end
  end
  local fields = { '"connections":${connections}' }
  local function add(name, value)
    fields[#fields + 1] = string.format('"%s":%.0f', name, value)
  end
  add("durationUs", summary.duration)
  add("requests", summary.requests)
  add("bytes", summary.bytes)
  for name, value in pairs(summary.errors) do add(name, value) end
  local listed = counts and "[" .. table.concat(counts, ",") .. "]" or "null"
  fields[#fields + 1] = '"latencies":' .. listed
  io.write("${SENTINEL}{", table.concat(fields, ","), "}\\n")
end
`;
}

/** Quotes a text as a Lua string of its bytes. */
function quote(text: string): string {
  const characters = Array.from(new TextEncoder().encode(text), (byte) => {
    const isPlain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92;
    return isPlain ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, "0")}`;
  });
  return `"${characters.join("")}"`;
}

/** Returns the measured latencies; only their number if there were too many to print. */
function latencyOf(summary: tool.Printed, responses: number): Latency | null {
  const latencies = summary.at("latencies");
  if (responses === 0) return null;
  if (latencies === null) return tool.latencyOf(responses, {}, () => null);
  if (!isCounts(latencies)) throw new SyntaxError("wrk printed no latencies");
  // wrk's formula for the expected duration of a request
  const perConnection = Math.floor(summary.number("requests") / summary.number("connections"));
  const intervalUs = Math.floor(summary.number("durationUs") / perConnection);
  const measured = [latencies, withoutCorrection(latencies, intervalUs)]
    .find((counts) => tool.total(counts) === responses && counts.every(([, count]) => count >= 0));
  if (measured === undefined) throw new SyntaxError("wrk's latencies do not match its responses");
  const histogram = newHistogram();
  for (const [us, count] of measured) {
    const value = Math.min(Math.max(1, us), histogram.highestTrackableValue);
    if (count > 0) histogram.recordValueWithCount(value, count);
  }
  return describe(histogram);
}

/**
 * Undoes wrk's correction of its histogram (`stats_correct` in its source).
 *
 * For each request that took at least twice the expected `intervalUs`, wrk adds requests that took
 * one interval less, two less, and so on. From the longest latency on, these are subtracted again.
 * If one is missing, wrk did not correct, and the counts are returned unchanged.
 */
function withoutCorrection(corrected: WrkCounts, intervalUs: number): WrkCounts {
  if (!(intervalUs > 0)) return corrected; // the loop below would not end
  const counts = new Map(corrected);
  for (const [us] of corrected.toReversed()) {
    const count = counts.get(us) ?? 0;
    if (us < 2 * intervalUs || count === 0) continue;
    for (let added = us - intervalUs; added > intervalUs; added -= intervalUs) {
      const found = counts.get(added) ?? 0;
      if (found < count) return corrected;
      counts.set(added, found - count);
    }
  }
  return [...counts];
}

function isCounts(value: unknown): value is WrkCounts {
  return Array.isArray(value) &&
    value.every((entry) =>
      Array.isArray(entry) && entry.length === 2 && entry.every(Number.isInteger)
    );
}
