import { deepStrictEqual } from "node:assert/strict";
import type { Noise } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { NOISE, REPORT } from "../../view/report_testdata.ts";
import { noiseFor } from "./compare_command.ts";

const SLICES: Noise = { ...NOISE, method: "slices" };
const WINDOWS: Noise = { ...NOISE, method: "windows" };

/** Returns the noise floors of a run, after a run of `stampede noise` with these results. */
async function found(run: Report, noise: readonly Noise[]): Promise<readonly Noise[]> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/results`);
    const { experiment } = REPORT;
    const report: Report = { ...REPORT, experiment: { ...experiment, kind: "noise" }, noise };
    await Deno.writeTextFile(`${folder}/results/noise.json`, JSON.stringify(report));
    return (await noiseFor(run, { folder, results: "results" })).noise;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns a run with windows by this load generator, with or without slices. */
function runOf(generator: string, hasSlices: boolean): Report {
  const { experiment } = REPORT;
  const slices = hasSlices ? { durationS: 4, sliceMs: 10, responses: 50 } : null;
  const design = { ...experiment.design, slices };
  const trialResults = REPORT.trialResults.map((trialResult) => ({
    ...trialResult,
    trial: { ...trialResult.trial, generator },
  }));
  return { ...REPORT, experiment: { ...experiment, design }, trialResults };
}

Deno.test("noise of slices counts whatever drives windows; that of windows is their generator's", async () => {
  const both = [SLICES, WINDOWS];
  deepStrictEqual(await found(runOf("autocannon", true), both), both);
  deepStrictEqual(await found(runOf("autocannon", false), both), [WINDOWS]);
  deepStrictEqual(await found(runOf("wrk", true), both), [SLICES]);
  deepStrictEqual(await found(runOf("wrk", false), both), []);
  deepStrictEqual(await found({ ...runOf("autocannon", true), trialResults: [] }, both), [SLICES]);
});
