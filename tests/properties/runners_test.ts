import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  distributedReport,
  merge,
  type Runners,
} from "../../src/distributed/distributed_report.ts";
import { type Runner, runnersIn } from "../../src/distributed/runner_file.ts";
import { ORIGIN, RUNNER, runnerOf, textOf } from "../../src/distributed/runner_testdata.ts";
import { UsageError } from "../../src/model/errors.ts";
import { errorsOf } from "../report_schema.ts";
import { accepted, damagedJson, damagedText, holds } from "./inputs.ts";

const buckets = fc.dictionary(
  fc.nat(172).map(String),
  fc.integer({ min: 1, max: 1e6 }),
  { minKeys: 1, maxKeys: 8 },
);
/** Several runners, each with its part of the load. */
const runners = fc.array(buckets, { minLength: 3, maxLength: 6 }).map((all) =>
  all.map((own, i): Runners => {
    const text = textOf(runnerOf(`${i}/${all.length}:${i + 1}/${all.length}`, own));
    return runnersIn(text, `${i}`) as [Runner];
  })
);

holds("merging runners is associative and commutative", runners, (all) => {
  const [a, b, c] = all as [Runners, Runners, Runners];
  deepStrictEqual(merge(a, b), merge(b, a));
  deepStrictEqual(merge(merge(a, b), c), merge(a, merge(b, c)));
  const forth = distributedReport(all.reduce(merge), ORIGIN);
  deepStrictEqual(distributedReport(all.toReversed().reduce(merge), ORIGIN), forth);
  const alone = all.flatMap(([{ scenarios }]) => scenarios.map(({ right }) => right));
  deepStrictEqual(forth.scenarios[0]?.right, alone.reduce((sum, count) => sum + count, 0));
  deepStrictEqual(forth.missing, []);
});

holds(
  "a runner's file is refused in a line, or every figure of it makes sense",
  fc.oneof(
    damagedJson(RUNNER).map((value) => JSON.stringify(value) ?? ""),
    damagedText(textOf(RUNNER)),
    fc.json(),
    fc.string(),
  ),
  async (text) => {
    const read = await accepted(() => {
      try {
        return runnersIn(text, "x.json").map((runner): Runners => [runner]).reduce(merge);
      } catch (error) {
        if (error instanceof UsageError) {
          ok(error.message.includes("x.json"), error.message);
          ok(!error.message.includes("\n"), error.message);
        }
        throw error;
      }
    }, UsageError);
    if (read === undefined) return;
    const report = distributedReport(read, ORIGIN);
    deepStrictEqual(errorsOf(JSON.parse(JSON.stringify(report))), []);
    for (const one of report.scenarios) {
      for (const count of [one.offered, one.sent, one.right, one.dropped]) {
        ok(Number.isSafeInteger(count) && count >= 0, `${count}`);
      }
      ok((one.p50?.us ?? 0) <= (one.p99?.us ?? Infinity));
    }
  },
);
