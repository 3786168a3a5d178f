import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { alone, merge, type Merged, totalAt } from "../../src/distributed/merge_runners.ts";
import { reportOf } from "../../src/distributed/distributed_report.ts";
import { runnersIn } from "../../src/distributed/runner_text.ts";
import { summaryOf } from "../../src/distributed/merged_summary.ts";
import { RUNNER, runnerOf, textOf } from "../../src/distributed/runner_testdata.ts";
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
  all.map((own, i) =>
    alone(
      runnersIn(textOf(runnerOf(`${i}/${all.length}:${i + 1}/${all.length}`, own)), `${i}`, "us")[
        0
      ] as Merged["runners"][number],
    )
  )
);

holds("merging runners is associative and commutative", runners, (all) => {
  const [a, b, c] = all as [Merged, Merged, Merged];
  deepStrictEqual(merge(a, b), merge(b, a));
  deepStrictEqual(merge(merge(a, b), c), merge(a, merge(b, c)));
  const forth = summaryOf(all.reduce(merge), RUNNER.slo, []);
  deepStrictEqual(summaryOf(all.toReversed().reduce(merge), RUNNER.slo, []), forth);
  const alone = all.map((one) => totalAt(one, "text").right);
  deepStrictEqual(forth.scenarios[0]?.right, alone.reduce((sum, count) => sum + count, 0));
  deepStrictEqual(forth.missing, []);
});

const HISTOGRAM = build({ highestTrackableValue: 1e9, numberOfSignificantValueDigits: 3 });
for (let us = 100; us < 1e6; us *= 1.3) HISTOGRAM.recordValue(Math.round(us));
const HDR = encodeIntoCompressedBase64(HISTOGRAM);

holds(
  "a runner's file is refused in a line, or every figure of it makes sense",
  fc.oneof(
    damagedJson(RUNNER).map((value) => JSON.stringify(value) ?? ""),
    damagedText(textOf(RUNNER)),
    damagedText(`0.1,1.0,2.0,${HDR}\n`),
    fc.json(),
    fc.string(),
  ),
  async (text) => {
    const read = await accepted(() => {
      try {
        return runnersIn(text, "x.json", "us").map(alone).reduce(merge);
      } catch (error) {
        if (error instanceof UsageError) {
          ok(error.message.includes("x.json"), error.message);
          ok(!error.message.includes("\n"), error.message);
        }
        throw error;
      }
    }, UsageError);
    if (read === undefined) return;
    const summary = summaryOf(read, read.runners[0]?.slo ?? RUNNER.slo, []);
    const origin = { id: "0", program: [], command: [], versions: {} };
    const report = reportOf(read, summary, origin, "2026-11-23T18:00:00.000Z");
    deepStrictEqual(errorsOf(JSON.parse(JSON.stringify(report))), []);
    for (const one of summary.scenarios) {
      for (const count of [one.offered, one.sent, one.right, one.dropped]) {
        ok(Number.isSafeInteger(count) && count >= 0, `${count}`);
      }
      ok((one.p50?.us ?? 0) <= (one.p99?.us ?? Infinity));
    }
  },
);
