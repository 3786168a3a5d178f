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
      ...tool.words(`oha --no-tui --output-format json -c ${connections}`),
      ...tool.words(seconds === null ? `-n ${requests}` : `-z ${tool.milliseconds(seconds)}`),
      ...tool.words(`-t ${tool.milliseconds(timeoutS)} --redirect 0 --disable-compression`),
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
  read: (output) => {
    tool.demandSuccess("oha", output);
    const parsed = tool.parseJson("oha", output.stdout);
    const statuses = countsAt(parsed, "statusCodeDistribution");
    const responses = tool.total(statuses);
    const errors = countsAt(parsed, "errorDistribution").filter(([kind]) => kind !== CUT_OFF);
    return {
      durationS: tool.positive(tool.numberAt(parsed, "summary", "total")),
      statuses: Object.fromEntries(statuses),
      transportErrors: tool.total(errors.filter(([kind]) => kind !== TIMEOUT)),
      timeouts: tool.total(errors.filter(([kind]) => kind === TIMEOUT)),
      bytes: null, // its `totalData` counts bodies without heads
      latency: responses === 0 ? null : tool.latencyOf(
        responses,
        FIGURES,
        (path) => tool.toUs(tool.numberOrNullAt(parsed, ...path), 1e6),
      ),
    };
  },
};

function countsAt(parsed: unknown, key: string): [string, number][] {
  const names = Object.keys(tool.objectAt(parsed, key));
  return names.map((name) => [name, tool.countAt(parsed, key, name)]);
}
