/** Writes a load as a script for k6. */
import { NOT_BEGUN, RUNNER_FORMAT, RUNNER_VERSION } from "../model/distributed.ts";
import { oneLine, printable } from "../model/text.ts";
import { BUCKETS, FACTOR, FIRST_US, LAST_BUCKET } from "../stats/histogram.ts";
import { type ExportedLoad, type Piece, testIdOf, variablesOf } from "./exported.ts";

/** Timeout of a response, in seconds. */
const TIMEOUT_S = 10;
/** Pause between the latest end of a scenario and the start of the next, in seconds. */
const PAUSE_S = 2;

/** Returns k6's options: https://grafana.com/docs/k6/latest/using-k6/k6-options/reference/ */
function optionsOf({ scenarios, perS, durationS, slo, users }: ExportedLoad): object {
  const milliseconds = (seconds: number): string => `${Math.round(1000 * seconds)}ms`;
  // k6 accepts no fractions
  const rate = Number.isInteger(perS)
    ? { rate: perS, timeUnit: "1s" }
    : { rate: Math.round(1000 * perS), timeUnit: "1000s" };
  const latencies = slo.latencies.map(({ percentile, us }) =>
    `p(${Number((100 * percentile).toPrecision(6))})<${us / 1000}`
  );
  const leastRight = Number((1 - (slo.errorShare ?? 0)).toPrecision(9));
  return {
    scenarios: Object.fromEntries(scenarios.map(({ key }, i) => [key, {
      executor: "constant-arrival-rate",
      exec: `load_${key}`,
      ...rate,
      duration: milliseconds(durationS),
      startTime: milliseconds(i * (durationS + TIMEOUT_S + PAUSE_S)),
      gracefulStop: milliseconds(TIMEOUT_S + 1),
      preAllocatedVUs: users,
    }])),
    thresholds: Object.fromEntries(
      scenarios.flatMap(({ key }): [metric: string, limits: string[]][] => [
        // Applies to each runner; `stampede import k6` checks the limits for all runners together
        [`http_req_duration{scenario:${key}}`, latencies],
        [`${key}_right`, slo.errorShare === null ? [] : [`rate>${leastRight}`]],
        // A condition that is always met makes k6 count this for each scenario
        [`dropped_iterations{scenario:${key}}`, ["count>=0"]],
      ]).filter(([, limits]) => limits.length > 0),
    ),
    systemTags: ["scenario"],
  };
}

/** Returns k6's script in TypeScript (k6 0.57 or later), the same for the same load. */
export function k6Script(load: ExportedLoad): string {
  const { scenarios, perS, durationS, target } = load;
  const program = load.program.join(" ");
  const variables = variablesOf(scenarios);
  const usage = [
    "k6 run load.ts                               # writes runner.json",
    "k6 run --execution-segment 0:1/2 -e OUT=runner-1.json load.ts",
    "k6 run --execution-segment 1/2:1 -e OUT=runner-2.json load.ts",
    `${program} import k6 runner-1.json runner-2.json  # one report of both`,
  ];
  const environment = [
    `TARGET  the server, ${target} by default`,
    "OUT     the file for this runner's results, runner.json by default; - is standard output",
    ...variables.map((name) => `${name}  a plain value, without default: it may be a secret`),
  ];
  const loads = scenarios.map(({ key }) =>
    `export function load_${key}(data: Setup): void {\n  iterate("${key}", data);\n}`
  );
  const asked = scenarios.map(({ id, key }) => ({ id, key, perS, durationS }));
  return `// Made by Stampede: ${perS} requests per second for ${durationS} s, at each of
${scenarios.map(({ id, title }) => comment(`${id}: ${title}`)).join("\n")}
//
${usage.map(comment).join("\n")}
//
// Variables (-e NAME=value):
${environment.map(comment).join("\n")}
import http, { type RefinedResponse } from "k6/http";
import exec from "k6/execution";
import { check, fail, sleep } from "k6";
import { Counter, Rate } from "k6/metrics";

const TARGET = __ENV.TARGET || ${JSON.stringify(target)};
const OUT = __ENV.OUT || "runner.json";

type K6Response = RefinedResponse<"text">;
/** The server's response before the load, which later responses must match. */
type Reference = { status: number; contentType: string; body: string | null };
type Setup = { startedAt: string; references: Record<string, Reference> };
type Asked = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /**
   * Check of the body. "same": equal to the body before the load. "stable": equal to it, but only if
   * two bodies before the load were equal. "any": none. A pattern: the body matches it.
   */
  bodyIs: "same" | "stable" | "any" | RegExp;
};

const SCENARIOS: Record<string, Asked> = {
${scenarios.map(askedText).join("\n")}
};

export const options = ${JSON.stringify(optionsOf(load), null, 2)};

// Latencies are counted in buckets, because counts of several runners add up and percentiles do not.
// Bucket 0: below ${FIRST_US} us; i: below ${FIRST_US} * ${FACTOR}^i us; ${LAST_BUCKET}: all longer ones.
function bucketOf(us: number): number {
  if (us < ${FIRST_US}) return 0;
  return Math.min(${LAST_BUCKET}, 1 + Math.floor(Math.log(us / ${FIRST_US}) / Math.log(${FACTOR})));
}

const metrics: Record<string, { right: Rate; buckets: Counter[]; wrong: Record<string, Counter> }> = {};
for (const name of Object.keys(SCENARIOS)) {
  const counter = (what: string) => new Counter(\`\${name}_\${what}\`);
  metrics[name] = {
    right: new Rate(\`\${name}_right\`),
    buckets: Array.from({ length: ${LAST_BUCKET + 1} }, (_, i) => counter(\`bucket_\${i}\`)),
    wrong: { refused: counter("refused"), wrong: counter("wrong"), failed: counter("failed") },
  };
}
${variables.length === 0 ? "" : SECRET}
function ask(name: string): K6Response {
  const { method, path, body, headers, bodyIs } = SCENARIOS[name];
  return http.request(method, TARGET + path, body, {
    headers,
    redirects: 0,
    timeout: "${TIMEOUT_S}s",
    responseType: bodyIs === "any" ? "none" : "text",
  }) as K6Response;
}

// The responses before the load define correct ones: first check the server with ${program} verify.
export function setup(): Setup {
  const references: Record<string, Reference> = {};
  for (const [name, { bodyIs }] of Object.entries(SCENARIOS)) {
    const response = ask(name);
    if (response.status < 200 || response.status > 299) {
      fail(\`\${name}: the server answers \${response.status} \${response.error}\`);
    }
    let body = bodyIs === "same" ? response.body : null;
    if (bodyIs === "stable") {
      sleep(1.05); // a body may contain the time in whole seconds
      if (ask(name).body === response.body) body = response.body;
    }
    references[name] = { status: response.status, contentType: contentType(response), body };
  }
  return { startedAt: new Date().toISOString(), references };
}

function contentType(response: K6Response): string {
  return response.headers["Content-Type"] || "";
}

function isRightBody(body: string | null, { bodyIs }: Asked, reference: Reference): boolean {
  if (bodyIs instanceof RegExp) return bodyIs.test(body || "");
  return reference.body === null || body === reference.body;
}

function iterate(name: string, { references }: Setup): void {
  const { right, buckets, wrong } = metrics[name];
  const began = exec.instance.currentTestRunDuration; // milliseconds, on a monotonic clock
  const response = ask(name);
  buckets[bucketOf(1000 * (exec.instance.currentTestRunDuration - began))].add(1);
  const isRight = check(response, {
    "right status": ({ status }) => status === references[name].status,
    "right content type": () => contentType(response) === references[name].contentType,
    "right body": ({ body }) => isRightBody(body, SCENARIOS[name], references[name]),
  });
  right.add(isRight);
  if (response.status === 0) wrong.failed.add(1);
  else if (response.status !== references[name].status) wrong.refused.add(1);
  else if (!isRight) wrong.wrong.add(1);
}

${loads.join("\n\n")}

export function handleSummary({ metrics: summary, setup_data }: any): Record<string, string> {
  if (!setup_data) return { stderr: "${NOT_BEGUN}, so no file was written\\n" };
  const value = (metric: string, of: string): number =>
    metric in summary ? summary[metric].values[of] : 0;
  const scenarios = ${JSON.stringify(asked)}.map(({ key, ...asked }) => {
    const buckets: Record<string, number> = {};
    metrics[key].buckets.forEach((_, i) => {
      const count = value(\`\${key}_bucket_\${i}\`, "count");
      if (count > 0) buckets[i] = count;
    });
    return {
      ...asked,
      right: value(\`\${key}_right\`, "passes"),
      refused: value(\`\${key}_refused\`, "count"),
      wrong: value(\`\${key}_wrong\`, "count"),
      failed: value(\`\${key}_failed\`, "count"),
      dropped: value(\`dropped_iterations{scenario:\${key}}\`, "count"),
      buckets,
    };
  });
  const text = JSON.stringify({
    format: "${RUNNER_FORMAT}",
    version: ${RUNNER_VERSION},
    buckets: ${BUCKETS},
    test: "${testIdOf(load)}",
    target: TARGET.replace(/\\/\\/[^/]*@/, "//"),
    segment: exec.test.options.executionSegment || "0:1",
    users: ${load.users},
    startedAt: setup_data.startedAt,
    endedAt: new Date().toISOString(),
    slo: ${JSON.stringify(load.slo)},
    scenarios,
  }) + "\\n";
  return OUT === "-" ? { stdout: text } : { [OUT]: text, stdout: \`Written to \${OUT}\\n\` };
}
`;
}

/** Part of a script with variables. */
const SECRET = `
function secret(name: string): string {
  if (__ENV[name] === undefined) throw new Error(\`Give \${name}: -e \${name}=value\`);
  return __ENV[name];
}
`;

function askedText({ key, request, underLoad }: ExportedLoad["scenarios"][number]): string {
  const { method, path, headers, body } = request;
  const fields = Object.entries(headers).map(([name, value]) =>
    `${JSON.stringify(name)}: ${expression(value)}`
  );
  return `  ${key}: {
    method: "${method}",
    path: ${expression(path, encoded)},
    headers: {${fields.length === 0 ? "" : ` ${fields.join(", ")} `}},
    body: ${body === null ? "null" : expression(body)},
    bodyIs: ${underLoad instanceof RegExp ? underLoad : `"${underLoad}"`},
  },`;
}

/** Returns an expression for a text; `wrap` changes the value of each variable. */
function expression(
  pieces: readonly Piece[],
  wrap = (value: string): string => value,
): string {
  const parts = pieces.map((piece) =>
    typeof piece === "string"
      ? JSON.stringify(piece)
      : wrap(`secret(${JSON.stringify(piece.variable)})`)
  );
  return parts.join(" + ") || '""';
}

/** Encodes a value for a query, so that variables have plain values in queries too. */
function encoded(value: string): string {
  return `encodeURIComponent(${value})`;
}

/** Returns a text as a line of a comment, without line breaks, because they would end it. */
function comment(text: string): string {
  return `//   ${oneLine(printable(text)).replaceAll(/[\r\u2028\u2029]/g, " ")}`;
}
