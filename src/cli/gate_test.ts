import { deepStrictEqual } from "node:assert/strict";
import type { Noise } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { NOISE, REPORT } from "../view/testdata.ts";
import { noiseFor } from "./gate.ts";
import type { Io } from "./io.ts";

const SLICES: Noise = { ...NOISE, method: "slices" };
const WINDOWS: Noise = { ...NOISE, method: "windows" };

/** What a run takes as the noise of its machine, where a run of bench noise found this. */
async function found(run: Report, noise: readonly Noise[]): Promise<readonly Noise[]> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/results`);
    const { experiment } = REPORT;
    const report: Report = { ...REPORT, experiment: { ...experiment, kind: "noise" }, noise };
    await Deno.writeTextFile(`${folder}/results/noise.json`, JSON.stringify(report));
    const io = { folder, path: (text: string) => text } as Io;
    return (await noiseFor(run, {}, io)).noise;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A run in slices, with or without a load generator for windows. */
function sliced(generators: Report["generators"]): Report {
  const { experiment } = REPORT;
  const slices = { durationS: 4, sliceMs: 10, answers: 50 };
  const design = { ...experiment.design, slices };
  return { ...REPORT, experiment: { ...experiment, design }, generators };
}

Deno.test("noise of slices counts whatever drives windows; that of windows is their generator's", async () => {
  const both = [SLICES, WINDOWS];
  const wrk = REPORT.generators.map((generator) => ({ ...generator, id: "wrk" }));
  const { design } = REPORT.experiment;
  deepStrictEqual(design.slices, null, "REPORT has windows alone");
  deepStrictEqual(await found(REPORT, both), both);
  deepStrictEqual(await found({ ...REPORT, generators: wrk }, both), []);
  deepStrictEqual(await found(sliced(REPORT.generators), both), both);
  deepStrictEqual(await found(sliced(wrk), both), [SLICES]);
  deepStrictEqual(await found(sliced([]), both), [SLICES]);
  deepStrictEqual(await found(sliced([]), [WINDOWS]), []);
});
