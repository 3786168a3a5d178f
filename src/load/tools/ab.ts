import type { HttpRequest } from "../../model/scenario.ts";
import type { Latency } from "../../model/raw.ts";
import * as tool from "./tool.ts";

/** Assumed rate for `-n`, per second: more than ab can send. Each request costs 32 bytes. */
const MOST_PER_S = 500_000;
/** Length of `HTTP/1.1 200` with two line ends, in bytes. */
const SHORTEST_RESPONSE = 16;
const RESULT = "percentiles.csv";

/** ab of the Apache HTTP server. Figures come from its text and its table of percentiles. */
export const ab: tool.Tool = {
  id: "ab",
  version: { command: ["ab", "-V"], pattern: /Version (\S+)/ },
  install: "apt-get install apache2-utils, or apk add apache2-utils; macOS has it",
  requests: true,
  stepS: 1,
  sendsHead: true,
  skipsInterim: false,
  http: "1.0",
  tls: ["http/1.1"],
  threads: "one",
  exposes: ["query", "headers"],
  latencyNote:
    "ab sends HTTP/1.0, and reports neither the mean nor any percentile between the 99th and the maximum",
  startsWith: null,
  invoke: (load) => ({
    argv: [
      // Without -k, each request uses a new connection.
      ...tool.words(load.request.headers.connection === "close" ? "ab" : "ab -k"),
      ...tool.words(`-r -l -q -c ${load.connections} ${lengthOf(load)}`),
      ...tool.words(`-s ${Math.ceil(load.timeoutS)} -e {DIR}/${RESULT}`),
      ...requestOf(load.request),
      load.url,
    ],
    files: load.request.body === null ? {} : { body: load.request.body },
    result: RESULT,
  }),
  read: ({ stdout, result }) => {
    const number = (pattern: RegExp, what: string): number =>
      tool.numberIn(stdout, pattern, `ab's ${what}`);
    const complete = number(/^Complete requests: +(\d+)$/m, "complete requests");
    const others = tool.countIn(stdout, /^Non-2xx responses: +(\d+)$/m);
    const failed = number(/^Failed requests: +(\d+)$/m, "failed requests");
    const failure = (kind: string): number =>
      failed && number(new RegExp(`\\b${kind}: (\\d+)`), `${kind} failures`);
    // ab counts only these failures among the complete requests.
    const broken = failure("Receive");
    const responses = complete - broken;
    const bytes = number(/^Total transferred: +(\d+) bytes$/m, "received bytes");
    // ab counts a connection that closes without data as a response.
    if (bytes < SHORTEST_RESPONSE * responses) {
      throw new SyntaxError(`ab received ${bytes} bytes for ${responses} responses`);
    }
    return {
      durationS: number(/^Time taken for tests: +([\d.]+) seconds$/m, "duration"),
      statuses: { "2xx": responses - others, "4xx": others }, // ab only reports "non-2xx"
      transportErrors: broken + failure("Connect") + failure("Exceptions") +
        tool.countIn(stdout, /^Write errors: +(\d+)$/m),
      // ab does not notice connections that hang. It only stops if nothing at all arrives for that
      // time, and then it reports nothing.
      timeouts: null,
      bytes,
      // ab's percentiles include the broken responses.
      latency: responses === 0 || broken > 0 ? null : latencyOf(responses, result),
    };
  },
};

/** Returns the options for the length. `-t` alone would imply `-n 50000`, so `-n` follows it. */
function lengthOf({ seconds, requests, connections }: tool.ToolLoad): string {
  return seconds === null
    ? `-n ${Math.max(requests ?? 0, connections)}`
    : `-t ${seconds} -n ${seconds * MOST_PER_S}`;
}

function requestOf({ method, headers, body }: HttpRequest): string[] {
  // With a body, ab always sends a content type. A second one in the headers would be added to it.
  const { types = [], others = [] } = Object.groupBy(
    Object.entries(headers),
    ([name]) => body !== null && name.toLowerCase() === "content-type" ? "types" : "others",
  );
  const usual = body === null ? "GET" : "POST";
  return [
    ...(body === null ? [] : ["-p", "{DIR}/body"]),
    ...types.slice(0, 1).flatMap(([, type]) => ["-T", type]),
    ...(method === "HEAD" ? ["-i"] : method === usual ? [] : ["-m", method]),
    ...others.flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
  ];
}

function latencyOf(count: number, csv: string | null): Latency {
  const us = (percent: number): number | null => {
    const row = new RegExp(`^${percent},([\\d.]+)\\n`, "m");
    return tool.toUs(tool.numberIn(csv ?? "", row, `ab's ${percent}th percentile`), 1e3);
  };
  return tool.latencyOf(count, { minUs: 0, p50Us: 50, p90Us: 90, p99Us: 99, maxUs: 100 }, us);
}
