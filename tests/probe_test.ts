import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { describeReason } from "../src/view/reasons.ts";
import { Sandbox } from "./bench.ts";

const TRIES = 3;

Deno.test("the probe looks on while bench measures, and its responses count", async (t) => {
  await using sandbox = await Sandbox.create();
  let absence = "";
  for (let tried = 0; tried < TRIES; tried++) {
    const args = ["text", "--rounds", "1", "-z", "1", "--warmup", "0.2", "--no-slices", "--json"];
    const { code, stdout } = await sandbox.run(args);
    strictEqual(code, 0);
    const report = JSON.parse(stdout) as Report;
    const [trialResult] = report.trialResults;
    const [result] = report.results;
    ok(trialResult?.window?.probe && result);
    const { measurement, probe } = trialResult.window;
    deepStrictEqual([probe.wrongResponses, probe.errors], [0, 0]);
    const own = (measurement.statuses["200"] ?? 0) / measurement.durationS;
    const looked = probe.absence === null ? probe.responses / probe.durationS : 0;
    strictEqual(result.requestsPerS?.median, own + looked);
    if (probe.absence === null) return ok(probe.responses > 0);
    // Responses took longer than its interval, for example because other programs use the machine
    absence = describeReason(probe.absence);
  }
  await t.step({ name: `SKIPPED HERE: ${absence}`, ignore: true, fn: () => {} });
});
