import { deepStrictEqual, throws } from "node:assert/strict";
import { distributedReport, meetsSlo, merge, type Runners } from "./distributed_report.ts";
import { describeErrors, errorsIn, runnersIn } from "./runner_file.ts";
import { ORIGIN, runnerOf, textOf } from "./runner_testdata.ts";
import { coverage } from "./segments.ts";

function read(text: string, name = "a.json"): Runners {
  return runnersIn(text, name).map((runner): Runners => [runner]).reduce(merge);
}

const A = textOf(runnerOf("0:1/2", { 40: 2900, 50: 80, 60: 20 }));
const B = textOf(runnerOf("1/2:1", { 41: 2800, 70: 200 }, { wrong: 3, dropped: 10 }));

Deno.test("counts and buckets of runners add up, and the worst one is named", () => {
  const both = merge(read(A), read(B, "b.json"));
  const { scenarios: [text], missing, runners } = distributedReport(both, ORIGIN);
  deepStrictEqual([text?.right, text?.wrong, text?.dropped], [5997, 3, 10]);
  deepStrictEqual(text?.buckets, { 40: 2900, 41: 2800, 50: 80, 60: 20, 70: 200 });
  deepStrictEqual([runners, missing, text?.worst], [2, [], "b.json"]);
  deepStrictEqual([text?.offered, text?.sent, text?.goodputPerS], [6010, 6000, 5997 / 30]);
  deepStrictEqual(text?.runners.map(({ offered }) => offered), [3000, 3010]);
});

Deno.test("an SLO is met only where that is sure", () => {
  const judged = (us: number): (boolean | null | undefined)[] => {
    const slo = { latencies: [{ percentile: 0.99, us }], errorShare: 0.01 };
    const report = distributedReport(merge(read(A), read(B)), ORIGIN, slo);
    return [...report.scenarios[0]?.sloChecks ?? []].map((one) => one.isMet).concat(
      meetsSlo(report),
    );
  };
  // The 99th percentile is in bucket 70: 7.18 to 7.90 ms
  deepStrictEqual(judged(7900), [true, true, true]);
  deepStrictEqual(judged(7500), [null, true, null]);
  deepStrictEqual(judged(7000), [false, true, false]);
  const few = distributedReport(read(textOf(runnerOf("0:1", { 40: 10 }))), ORIGIN);
  deepStrictEqual([few.scenarios[0]?.p99, meetsSlo(few)], [null, null]);
});

Deno.test("an SLO is unknown if a part of the load is missing", () => {
  for (const us of [7900, 10]) {
    const slo = { latencies: [{ percentile: 0.99, us }], errorShare: 0.01 };
    const half = distributedReport(read(A), ORIGIN, slo);
    const [latency, errors] = half.scenarios[0]?.sloChecks ?? [];
    deepStrictEqual([latency?.isMet, errors?.isMet, meetsSlo(half)], [null, null, null]);
    deepStrictEqual([errors?.found, half.missing], [0, ["1/2:1"]]);
  }
  // A file was left out, but the load is whole
  const leftOut = [{ file: "c.json", problem: "it is empty" }];
  const slo = { latencies: [], errorShare: 0.01 };
  const whole = distributedReport(merge(read(A), read(B)), ORIGIN, slo, leftOut);
  deepStrictEqual([whole.complete, meetsSlo(whole)], [false, true]);
});

Deno.test("what is missing of a load is known, and what would count twice is refused", () => {
  deepStrictEqual(coverage(["1/3:2/3"]).missing, ["0:1/3", "2/3:1"]);
  deepStrictEqual(coverage(["0.5:1", "0:1/4", "1/4:1/2"]), { missing: [], twice: [] });
  throws(() => merge(read(A), read(A)), /0:1\/2 of the load would count twice/);
  throws(
    () => merge(read(A), read(B.replace("0123456789abcdef", "fedcba9876543210"))),
    /they belong to different loads/,
  );
  const later = B.replaceAll("2026-11-23", "2026-11-24");
  throws(() => merge(read(A), read(later)), /did not run at the same time/);
});

Deno.test("the log of several runners is read, whatever else is in it", () => {
  const log = `k6 says hello\n${A}level=info\npod-2 ${B}`;
  deepStrictEqual(read(log, "log").map(({ name }) => name), ["log 0:1/2", "log 1/2:1"]);
});

/** Four lines of a log of k6 1.8.1, from a runner that reached no server. */
const REFUSED = String.raw`
time="2026-11-26T10:57:58Z" level=warning msg="Request Failed" error="Get \"http://127.0.0.1:1/\": dial tcp 127.0.0.1:1: connect: connection refused"
The load did not begin, so no file was written
time="2026-11-26T10:57:58Z" level=error msg="GoError: text: the server answers 0 dial: connection refused\n\tat go.k6.io/k6/internal/js/modules/k6.(*K6).Fail-fm (native)\n\tat setup (file:///test/load.ts:108:11(52))\n" hint="script exception"
`;

Deno.test("the errors of runners that wrote no output are known, each once", () => {
  const errors = ["The load did not begin", "text: the server answers 0 dial: connection refused"];
  deepStrictEqual(errorsIn(REFUSED + REFUSED), errors);
  const log = [
    `level=error msg="thresholds on metrics 'text_right' have been crossed"`,
    'level=error msg="say \\"hi\\" to http://a/?key=secret"',
    "[pod/x/k6] level=error msg=alone",
    "level=info msg=fine",
    'level=error msg="\u001b[31mred"',
    ...[1, 2, 3].map((n) => `level=error msg=${n}`),
  ].join("\n");
  deepStrictEqual(errorsIn(log), [
    'say "hi" to http://a/?key=***',
    "alone",
    "\ufffd[31mred",
    "1",
    "2",
  ]);
  deepStrictEqual([errorsIn(A), describeErrors([])], [[], ""]);
  throws(() => read(REFUSED, "log"), {
    message: `Cannot merge log: it does not contain the output of a runner. The runners reported: ${
      errors.join("; ")
    }`,
  });
});

Deno.test("a file that is damaged, not whole or of something else is refused, by its name", () => {
  const cases: readonly (readonly [text: string, problem: RegExp])[] = [
    ["", /^Cannot merge a\.json: it is empty$/],
    ["hello", /it does not contain the output of a runner/],
    ["{}", /it is JSON, but not the output of a runner of Stampede/],
    [A.slice(0, -20), /it is damaged or incomplete/],
    [A.replace('"version":1', '"version":2'), /by another version of Stampede/],
    [A.replace('"right":3000', '"right":2999'), /text has 3000 times of 2999 requests/],
    [A.replace('"60":20', '"173":20'), /it contains an unknown bucket/],
    [A.replace("0:1/2", "1/2:0"), /1\/2:0 is not a segment of a load/],
    [A.replace("0:1/2", "0:1/0"), /0:1\/0 is not a segment of a load/],
    [A.replace('"wrong":0', '"wrong":-1'), /wrong must be >= 0/],
    [A.replace("2026-11-23", "2026-99-23"), /its start or end is not a valid time/],
    [A.replace('"percentile":0.99', '"percentile":1'), /a percentile outside 0 to 100 %/],
    [A.replace('"durationS":30', '"durationS":1e-300'), /durationS must be >= 0.1/],
  ];
  for (const [text, problem] of cases) {
    throws(() => read(text), { name: "UsageError", message: problem }, text.slice(0, 40));
  }
});

Deno.test("the report spans from the first start to the last end, and names every server once", () => {
  const later = B.replaceAll("18:00:00", "18:00:02").replaceAll("18:00:30", "18:00:33")
    .replace("http://10.0.0.7:8000", "https://10.0.0.6:8000");
  const report = distributedReport(merge(read(A), read(later)), ORIGIN);
  deepStrictEqual([report.createdAt, report.tookS], ["2026-11-23T18:00:00.000Z", 33]);
  deepStrictEqual([report.server, report.complete], ["10.0.0.6:8000, 10.0.0.7:8000", true]);
  deepStrictEqual(distributedReport(read(A), ORIGIN).complete, false);
});
