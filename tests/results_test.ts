import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  elapsed,
  failedFiles,
  failuresIn,
  isNews,
  type LaneEnd,
  readResults,
  recovered,
  type Result,
  total,
  withoutFailed,
} from "./results.ts";

/** Output of Deno 2.9.6. */
const XML = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="5" failures="2" errors="0" time="0.007">
    <testsuite name="./a_test.ts" tests="5" disabled="2" errors="0" failures="2">
        <testcase name="a" classname="./a_test.ts" time="1.250" line="1" col="6">
        </testcase>
        <testcase name="b &lt;why&gt; &amp; &quot;how&quot;" classname="./a_test.ts" time="0.000" line="2" col="6">
            <skipped/>
        </testcase>
        <testcase name="c" classname="./a_test.ts" time="0.001" line="3" col="6">
            <failure message="Uncaught Error: &quot;no&quot;">Error: &quot;no&quot;
    at file:///a_test.ts:3:30</failure>
        </testcase>
        <testcase name="a &gt; x" classname="./a_test.ts" time="0.000" line="1" col="39">
        </testcase>
        <testcase name="a &gt; y: why" classname="./a_test.ts" time="0.000" line="1" col="68">
            <skipped/>
        </testcase>
    </testsuite>
    <testsuite name="./b_test.ts" tests="1" disabled="0" errors="0" failures="0">
        <testcase name="d" classname="./b_test.ts" time="0.000" line="2" col="6">
            <failure message="1 test step failed">1 test step failed.</failure>
        </testcase>
        <testcase name="1 &gt; 0" classname="./b_test.ts" time="2.000" line="1" col="6">
        </testcase>
    </testsuite>
</testsuites>`;

Deno.test("readResults reads tests and steps, and tells them apart", () => {
  deepStrictEqual(
    readResults(XML).map(({ file, name, isStep, status, tookS }) =>
      [file, name, isStep ? "step" : "test", status, tookS].join("|")
    ),
    [
      "a_test.ts|a|test|passed|1.25",
      'a_test.ts|b <why> & "how"|test|ignored|0',
      "a_test.ts|c|test|failed|0.001",
      "a_test.ts|a > x|step|passed|0",
      "a_test.ts|a > y: why|step|ignored|0",
      "b_test.ts|d|test|failed|0",
      "b_test.ts|1 > 0|test|passed|2",
    ],
  );
  deepStrictEqual(
    readResults(XML).map(({ why }) => why).filter((why) => why !== undefined),
    ['Error: "no"\n    at file:///a_test.ts:3:30'],
    "a test of which a step failed has nothing to say of its own",
  );
  deepStrictEqual(readResults(""), []);
});

Deno.test("total counts tests and whatever was ignored, and takes no lane's failure for success", () => {
  const results = readResults(XML);
  deepStrictEqual(total(results, [1, 0], 200_000), {
    line: "FAILED | 2 passed | 2 failed | 2 ignored (3m20s)",
    isFine: false,
  });
  const fine = results.filter(({ status }) => status !== "failed");
  strictEqual(total(fine, [0, 0], 59_000).line, "ok | 2 passed | 0 failed | 2 ignored (59s)");
  strictEqual(total(fine, [0, 1], 0).line, "FAILED | 2 passed | 1 failed | 2 ignored (0s)");
  const hollow = fine.filter(({ name }) => name !== "a > x");
  strictEqual(total(hollow, [0, 0], 0).line, "ok | 1 passed | 0 failed | 2 ignored (0s)");
  const none: Result[] = [];
  strictEqual(total(none, [0, 0], 0).isFine, false, "nothing was tested");
  strictEqual(elapsed(60_000), "1m0s");
});

Deno.test("isNews leaves out what passed, and keeps what failed and what tests say", () => {
  for (
    const line of [
      "running 4 tests from ./a_test.ts",
      "a ...",
      "  x ... ok (0ms)",
      "b <why> ... ignored (0ms)",
      "a ... ok (1ms)",
      "",
      "ok | 1 passed | 0 failed (1s)",
      "------- post-test output -------",
      "----- output end -----",
    ]
  ) strictEqual(isNews(line), false, line);
  for (const line of ["c ... FAILED (1ms)", "SKIPPED HERE: why", " ERRORS ", "error: Error: no"]) {
    strictEqual(isNews(line), true, line);
  }
});

const RESULT: Result = { file: "a", name: "works", isStep: false, status: "passed", tookS: 1 };
const FAILURE: Result = { ...RESULT, file: "b", status: "failed", why: "Error: late" };
const LANE: LaneEnd = { files: ["a", "b", "c"], code: 1, failures: 1, results: [RESULT, FAILURE] };

Deno.test("a failed file that passes alone is no failure, and is named", () => {
  const passed = { ...FAILURE, status: "passed" as const };
  const again = { files: ["b"], code: 0, failures: 0, results: [passed] };
  deepStrictEqual(failedFiles([LANE]), ["b"]);
  deepStrictEqual(recovered([LANE], again), [FAILURE]);
  const ends = [withoutFailed(LANE), again];
  const codes = ends.map(({ code }) => code);
  const { line } = total(ends.flatMap(({ results }) => results), codes, 1000);
  strictEqual(line, "ok | 2 passed | 0 failed | 0 ignored (1s)");
});

Deno.test("a file that fails twice is a failure", () => {
  const again = { files: ["b"], code: 1, failures: 1, results: [FAILURE] };
  deepStrictEqual(recovered([LANE], again), []);
  const ends = [withoutFailed(LANE), again];
  const codes = ends.map(({ code }) => code);
  const { isFine } = total(ends.flatMap(({ results }) => results), codes, 1000);
  strictEqual(isFine, false);
});

Deno.test("nothing runs again if a lane failed for another reason as well", () => {
  // An error outside of tests, and a test in a file that is not of the lane
  const others = [{ ...LANE, failures: 2 }, { ...LANE, files: ["a"] }, { ...LANE, results: [] }];
  for (const lane of others) {
    deepStrictEqual(failedFiles([lane]), []);
    strictEqual(withoutFailed(lane).code, 1);
  }
  deepStrictEqual(failedFiles([{ ...LANE, code: 0, failures: 0, results: [RESULT] }]), []);
});

Deno.test("failuresIn reads Deno's last line, and no other", () => {
  strictEqual(failuresIn("FAILED | 3 passed (2 steps) | 2 failed (1 step) | 1 ignored (3s)"), 2);
  strictEqual(failuresIn("ok | 3 passed | 0 failed (3s)"), 0);
  strictEqual(failuresIn("a line of a test | 2 failed"), 0);
});
