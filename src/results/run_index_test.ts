import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import type { Report } from "../model/report.ts";
import { addToIndex, newestNoise, newestReport, readHistory } from "./run_index.ts";
import { writeReport } from "./store.ts";
import { DUEL, REPORT } from "../view/report_testdata.ts";

/** Runs a test with a folder of its own, with a folder `results` in it. */
async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(folder, "results"));
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function write(folder: string, name: string, report: Report): Promise<string> {
  const path = join(folder, "results", name);
  await writeReport(path, report);
  return path;
}

const later = { ...DUEL, createdAt: "2026-02-01T00:00:00.000Z" };
const complain = (message: string): void => {
  throw new Error(message);
};
const files = async (folder: string): Promise<string[]> =>
  (await readHistory(folder, complain)).map(({ file }) => file);

Deno.test("the index knows what was added to it, and what lies there besides, once", async () => {
  await inFolder(async (folder) => {
    await addToIndex(folder, await write(folder, "b.json", later), later);
    await write(folder, "a.json", REPORT);
    deepStrictEqual(await files(folder), ["a.json", "b.json"]);
    deepStrictEqual(await files(folder), ["a.json", "b.json"]);
    const index = await Deno.readTextFile(join(folder, "results/index.jsonl"));
    strictEqual(index.trim().split("\n").length, 2);
    await Deno.remove(join(folder, "results/a.json"));
    deepStrictEqual(await files(folder), ["b.json"], "what is gone is left out");
  });
});

Deno.test("a report that was written again is known as it is now", async () => {
  await inFolder(async (folder) => {
    const path = await write(folder, "a.json", REPORT);
    await addToIndex(folder, path, { ...REPORT, complete: false });
    await addToIndex(folder, path, REPORT);
    const [entry, ...others] = await readHistory(folder, complain);
    deepStrictEqual([entry?.complete, others.length], [true, 0]);
  });
});

Deno.test("reports elsewhere are not indexed", async () => {
  await inFolder(async (folder) => {
    await addToIndex(folder, "/tmp/elsewhere.json", REPORT);
    deepStrictEqual(await files(folder), []);
  });
});

Deno.test("half a line and foreign files do no harm", async () => {
  await inFolder(async (folder) => {
    await addToIndex(folder, await write(folder, "a.json", REPORT), REPORT);
    await Deno.writeTextFile(`${folder}/results/index.jsonl`, '{"file": "half', { append: true });
    await Deno.writeTextFile(`${folder}/results/b.json`, "{}");
    const problems: string[] = [];
    const entries = await readHistory(folder, (message) => problems.push(message));
    deepStrictEqual(entries.map(({ file }) => file), ["a.json"]);
    strictEqual(problems.length, 1);
    match(problems[0] ?? "", /results\/b\.json: it is JSON, but no report of Stampede/);
  });
});

Deno.test("a line of an older Stampede, which knew less, is read anew from its report", async () => {
  await inFolder(async (folder) => {
    const path = await write(folder, "a.json", REPORT);
    await addToIndex(folder, path, REPORT);
    const index = `${folder}/results/index.jsonl`;
    const older = (await Deno.readTextFile(index)).replace(/"machine":"[^"]*",/, "");
    await Deno.writeTextFile(index, older);
    const [entry] = await readHistory(folder, complain);
    strictEqual(entry?.machine, `${REPORT.host.cores} x ${REPORT.host.cpuModel}`);
    match(await Deno.readTextFile(index), /"machine":/);
  });
});

Deno.test("the newest report, and the newest of bench noise", async () => {
  await inFolder(async (folder) => {
    await rejects(
      newestReport(folder),
      /There is no report in results\/: name a file, or run bench/,
    );
    strictEqual(await newestNoise(folder, () => true), null);
    await write(folder, "b.json", later);
    const experiment = { ...REPORT.experiment, kind: "noise" } as const;
    await write(folder, "a.json", { ...REPORT, experiment, noise: DUEL.noise });
    strictEqual(await newestReport(folder), join(folder, "results/b.json"));
    strictEqual((await newestNoise(folder, () => true))?.path, "results/a.json");
    strictEqual(await newestNoise(folder, () => false), null);
  });
});
