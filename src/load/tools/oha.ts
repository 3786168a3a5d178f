import * as tool from "./tool.ts";

/** oha's name for requests that were in flight when its time was over. */
const CUT_OFF = "aborted due to deadline";
const TIMEOUT = "timeout";

/** Places of the figures of a latency in oha's output. */
const FIGURES = {
  meanUs: ["summary", "average"],
  minUs: ["summary", "fastest"],
  p50Us: ["latencyPercentiles", "p50"],
  p90Us: ["latencyPercentiles", "p90"],
  p99Us: ["latencyPercentiles", "p99"],
  p999Us: ["latencyPercentiles", "p99.9"],
  maxUs: ["summary", "slowest"],
};

/** oha 1.9 or later. Figures come from its JSON output. */
export const oha: tool.Tool = {
  id: "oha",
  version: { command: ["oha", "--version"], pattern: /^oha (\S+)/m },
  install: "cargo install oha, brew install oha, or https://github.com/hatoo/oha",
  requests: true,
  stepS: 0.1,
  sendsHead: true,
  skipsInterim: true,
  http: "1.1",
  tls: ["http/1.1", "h2"],
  threads: "cores",
  exposes: ["query", "headers"],
  latencyNote: null,
  startsWith: null,
  invoke: ({ url, alpn, request, connections, seconds, requests, timeoutS }) => ({
    argv: [
      ...tool.words(`oha --no-tui --output-format json -c ${connections}`),
      ...tool.words(seconds === null ? `-n ${requests}` : `-z ${tool.milliseconds(seconds)}`),
      ...tool.words(`-t ${tool.milliseconds(timeoutS)} --redirect 0 --disable-compression`),
      // Or else oha uses a connection again if the response does not say "close", as those of Bun
      ...(request.headers.connection === "close" ? ["--disable-keepalive"] : []),
      ...(alpn === null ? [] : ["--insecure", "--http-version", alpn === "h2" ? "2" : "1.1"]),
      "-m",
      request.method,
      ...Object.entries(request.headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
      ...(request.body === null ? [] : ["-D", "{DIR}/body"]),
      url,
    ],
    files: request.body === null ? {} : { body: request.body },
    result: null,
  }),
  read: ({ stdout }) => {
    const summary = new tool.Printed("oha", stdout);
    const statuses = countsAt(summary, "statusCodeDistribution");
    const responses = tool.total(statuses);
    const errors = countsAt(summary, "errorDistribution").filter(([kind]) => kind !== CUT_OFF);
    return {
      durationS: summary.number("summary", "total"),
      statuses: Object.fromEntries(statuses),
      transportErrors: tool.total(errors.filter(([kind]) => kind !== TIMEOUT)),
      timeouts: tool.total(errors.filter(([kind]) => kind === TIMEOUT)),
      bytes: null, // its `totalData` counts bodies without heads
      latency: responses === 0 ? null : tool.latencyOf(
        responses,
        FIGURES,
        (path) => summary.at(...path) === null ? null : tool.toUs(summary.number(...path), 1e6),
      ),
    };
  },
};

function countsAt(summary: tool.Printed, key: string): [string, number][] {
  return Object.keys(summary.object(key)).map((name) => [name, summary.count(key, name)]);
}
