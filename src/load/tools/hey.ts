import type { Latency } from "../../model/raw.ts";
import * as tool from "./tool.ts";

/** Number of responses that hey keeps at most. It does not report that it drops others. */
const MOST_RESPONSES = 1_000_000;
/** Maximum rounding error of a time in seconds and of a rate per second: hey prints 4 decimals. */
const ROUNDING = 0.00005;

const TIMEOUT = /Client\.Timeout|deadline exceeded/;

/** hey. Figures come from its text: its CSV is as precise, and has a line for each response. */
export const hey: tool.Tool = {
  id: "hey",
  // hey has no version option: its help says 0.0.1 in every release.
  version: { command: ["hey", "-h"], pattern: /^hey version (\S+)/m },
  install: "go install github.com/rakyll/hey@latest, or brew install hey",
  requests: true,
  stepS: 0.1,
  sendsHead: true,
  skipsInterim: true,
  http: "1.1",
  tls: ["http/1.1"],
  threads: "cores",
  exposes: ["query", "headers"],
  latencyNote:
    "hey reports latencies in steps of 100 µs, and no percentile between the 99th and the maximum",
  startsWith: null,
  invoke: (load) => ({
    argv: [
      ...tool.words(`hey -c ${load.connections} ${lengthOf(load)} -t ${Math.ceil(load.timeoutS)}`),
      ...tool.words(`-disable-redirects -disable-compression -m ${load.request.method}`),
      ...(load.request.body === null ? [] : ["-D", "{DIR}/body"]),
      ...Object.entries(load.request.headers).flatMap(([name, value]) =>
        // Go takes the host from this option and not from the headers.
        name.toLowerCase() === "host" ? ["-host", value] : ["-H", `${name}: ${value}`]
      ),
      load.url,
    ],
    files: load.request.body === null ? {} : { body: load.request.body },
    result: null,
  }),
  read: ({ stdout }) => {
    const durationS = tool.numberIn(stdout, /^ +Total:\t([\d.]+) secs$/m, "hey's duration");
    const statuses = rowsOf(stdout, "Status code", /\[(?<text>\d+)\]\t(?<count>\d+) responses/g);
    const errors = rowsOf(stdout, "Error", /\[(?<count>\d+)\]\t(?<text>.*)/g);
    const responses = tool.total(statuses);
    demandAll(stdout, durationS, responses + tool.total(errors));
    return {
      durationS,
      statuses: Object.fromEntries(statuses),
      // hey does not notice truncated responses.
      transportErrors: tool.total(errors.filter(([message]) => !TIMEOUT.test(message))),
      timeouts: tool.total(errors.filter(([message]) => TIMEOUT.test(message))),
      bytes: null, // its total is the sum of the announced lengths, without heads
      latency: responses === 0 ? null : latencyOf(responses, stdout),
    };
  },
};

/** Returns the option for the length. hey drops the requests that its connections cannot share. */
function lengthOf({ seconds, requests, connections }: tool.ToolLoad): string {
  if (seconds !== null) return `-z ${tool.milliseconds(seconds)}`;
  return `-n ${Math.ceil((requests ?? 0) / connections) * connections}`;
}

/** Returns the texts and counts of one of hey's two distributions. hey omits an empty one. */
function rowsOf(output: string, name: string, row: RegExp): [text: string, count: number][] {
  const block = new RegExp(`^${name} distribution:((?:\\n +\\[\\d+\\]\\t.*)*)`, "m").exec(output);
  return Array.from(
    (block?.[1] ?? "").matchAll(row),
    ({ groups = {} }) => [groups.text ?? "", Number(groups.count)],
  );
}

/** Checks by hey's rate that it lists all requests. Its lists end at one million responses. */
function demandAll(text: string, durationS: number, listed: number): void {
  const rate = tool.numberIn(text, /^ +Requests\/sec:\t([\d.]+)$/m, "hey's rate");
  const least = (rate - ROUNDING) * (durationS - ROUNDING);
  const most = (rate + ROUNDING) * (durationS + ROUNDING);
  if (listed >= least - 1 && listed <= most + 1) return;
  throw new SyntaxError(
    `hey lists ${listed} of ${Math.round(rate * durationS)} requests: ` +
      `it keeps only ${MOST_RESPONSES} responses; use a shorter load or another generator`,
  );
}

function latencyOf(count: number, text: string): Latency {
  const names = { meanUs: "Average", minUs: "Fastest", maxUs: "Slowest" };
  const percentiles = { p50Us: 50, p90Us: 90, p99Us: 99 };
  return tool.latencyOf<string | number>(count, { ...names, ...percentiles }, (name) => {
    const percentile = new RegExp(`^ +${name}%{1,2} in ([\\d.]+) secs$`, "m"); // one % or two, by version
    const figure = new RegExp(`^ +${name}:\\t([\\d.]+) secs$`, "m");
    const seconds = typeof name === "number"
      ? Number(percentile.exec(text)?.[1] ?? 0) // with few responses, some are missing
      : tool.numberIn(text, figure, `hey's ${name}`);
    return seconds === 0 ? null : tool.toUs(seconds, 1e6); // 0 is less than half a step
  });
}
