import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { readInputs } from "./runner.ts";
import { testWorld } from "./ci_testdata.ts";

Deno.test("inputs are read, and those that are missing have their values", () => {
  const { failOn, id, keep, hasComment, historyBranch } = readInputs(testWorld({}));
  deepStrictEqual([failOn, id, keep, hasComment, historyBranch], ["", "stampede", 200, true, ""]);
  const inputs = readInputs(testWorld({
    INPUT_SERVER: " stampede/shop/server.json\n",
    INPUT_SCENARIO: "a b.js\n\n  c.js",
    INPUT_SCENARIOS: "text json",
    INPUT_ARGS: "--rounds 15\n--noise 'my noise.json'",
    INPUT_FAIL_ON: "2.5%",
    INPUT_TIMEOUT_MINUTES: "5",
    INPUT_ID: "api",
    INPUT_COMMENT: "false",
    INPUT_HISTORY_BRANCH: "bench/data",
    INPUT_KEEP: "3",
    INPUT_TOKEN: "t",
  }));
  deepStrictEqual(inputs, {
    server: "stampede/shop/server.json",
    scenarioFiles: ["a b.js", "c.js"],
    scenarios: ["text", "json"],
    args: ["--rounds", "15", "--noise", "my noise.json"],
    failOn: "2.5%",
    thresholds: { speed: 0.025, costs: {} },
    timeoutMs: 300_000,
    id: "api",
    hasComment: false,
    historyBranch: "bench/data",
    keep: 3,
    token: "t",
  });
});

Deno.test("an input that cannot be is named", () => {
  const cases: readonly (readonly [name: string, value: string])[] = [
    ["TIMEOUT_MINUTES", "0"],
    ["FAIL_ON", "much"],
    ["FAIL_ON", "101%"],
    ["ID", "a -->b"],
    ["ID", "../x"],
    ["COMMENT", "yes"],
    ["HISTORY_BRANCH", "--force"],
    ["HISTORY_BRANCH", "a..b"],
    ["KEEP", "0"],
    ["KEEP", "1e9"],
  ];
  for (const [name, value] of cases) {
    const input = name.toLowerCase().replace("_", "-");
    throws(
      () => readInputs(testWorld({ [`INPUT_${name}`]: value })),
      { name: "UsageError", message: new RegExp(`as the input ${input}: it must be `) },
    );
  }
});

Deno.test("words are separated by space that is not quoted, and percentages are shares", () => {
  const read = (name: string, value: string) => readInputs(testWorld({ [name]: value }));
  const { args } = read("INPUT_ARGS", `a  "b c" d'e f'\n--x="y z" ''`);
  deepStrictEqual(args, ["a", "b c", "de f", "--x=y z", ""]);
  strictEqual(read("INPUT_FAIL_ON", "5%").thresholds.speed, 0.05);
  strictEqual(read("INPUT_FAIL_ON", "0.5").thresholds.speed, 0.005);
  strictEqual(read("INPUT_FAIL_ON", "").thresholds.speed, null);
  const { thresholds } = read("INPUT_FAIL_ON", "5%,memory=10%");
  deepStrictEqual(thresholds, { speed: 0.05, costs: { memory: 0.1 } });
});
