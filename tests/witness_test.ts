import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { describeReason } from "../src/view/reasons.ts";
import { Sandbox } from "./bench.ts";

const TRIES = 3;

Deno.test("the witness looks on while bench measures, and its answers count", async (t) => {
  await using sandbox = await Sandbox.create();
  let absence = "";
  for (let tried = 0; tried < TRIES; tried++) {
    const args = ["text", "--rounds", "1", "-z", "1", "--warmup", "0.2", "--no-slices", "--json"];
    const { code, stdout } = await sandbox.run(args);
    strictEqual(code, 0);
    const report = JSON.parse(stdout) as Report;
    const [trialResult] = report.trialResults;
    const [result] = report.results;
    ok(trialResult?.window?.witness && result);
    const { measurement, witness } = trialResult.window;
    deepStrictEqual([witness.wrongResponses, witness.errors], [0, 0]);
    const own = (measurement.statuses["200"] ?? 0) / measurement.durationS;
    const looked = witness.absence === null ? witness.responses / witness.durationS : 0;
    strictEqual(result.requestsPerS?.median, own + looked);
    if (witness.absence === null) return ok(witness.responses > 0);
    // Answers took longer than its schedule, as where other programs use the machine.
    absence = describeReason(witness.absence);
  }
  await t.step({ name: `SKIPPED HERE: ${absence}`, ignore: true, fn: () => {} });
});
