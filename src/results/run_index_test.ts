import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import type { Report } from "../model/report.ts";
import { addToIndex, newestNoise, newestReport, readHistory } from "./run_index.ts";
import { markUnderWay, type Place, writeReport } from "./store.ts";
import { DUEL, REPORT } from "../view/report_testdata.ts";

/** Runs a test in a temporary folder with a folder `results`. */
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
  (await readHistory(placeIn(folder), complain)).map(({ file }) => file);

const placeIn = (folder: string): Place => ({ folder, results: "results" });

Deno.test("the index knows what was added to it, and what lies there besides, once", async () => {
  await inFolder(async (folder) => {
    await addToIndex(placeIn(folder), await write(folder, "b.json", later), later);
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
    await addToIndex(placeIn(folder), path, { ...REPORT, complete: false });
    await addToIndex(placeIn(folder), path, REPORT);
    const [entry, ...others] = await readHistory(placeIn(folder), complain);
    deepStrictEqual([entry?.complete, others.length], [true, 0]);
  });
});

Deno.test("a report that is being resumed, or was killed then, is read again", async () => {
  await inFolder(async (folder) => {
    const path = await write(folder, "a.json", { ...REPORT, complete: false });
    await addToIndex(placeIn(folder), path, REPORT);
    const known = async (): Promise<unknown[]> => {
      const [entry] = await readHistory(placeIn(folder), complain);
      return [entry?.complete, entry?.isUnderWay ?? false];
    };
    deepStrictEqual(await known(), [true, false]);
    {
      await using _mark = await markUnderWay(path);
      deepStrictEqual(await known(), [false, true]);
    }
    deepStrictEqual(await known(), [true, false], "its run adds an entry at its end");
    await Deno.writeTextFile(join(folder, "results/.a.json.running"), "");
    deepStrictEqual(await known(), [false, false]);
    deepStrictEqual(await known(), [false, false], "the new entry counts");
  });
});

Deno.test("reports elsewhere are not indexed", async () => {
  await inFolder(async (folder) => {
    await addToIndex(placeIn(folder), "/tmp/elsewhere.json", REPORT);
    deepStrictEqual(await files(folder), []);
  });
});

Deno.test("half a line and foreign files do no harm", async () => {
  await inFolder(async (folder) => {
    await addToIndex(placeIn(folder), await write(folder, "a.json", REPORT), REPORT);
    await Deno.writeTextFile(`${folder}/results/index.jsonl`, '{"file": "half', { append: true });
    await Deno.writeTextFile(`${folder}/results/b.json`, "{}");
    const problems: string[] = [];
    const entries = await readHistory(placeIn(folder), (message) => problems.push(message));
    deepStrictEqual(entries.map(({ file }) => file), ["a.json"]);
    strictEqual(problems.length, 1);
    match(problems[0] ?? "", /results\/b\.json: it is JSON, but not a report of Stampede/);
  });
});

Deno.test("a line of another format counts for nothing: its report is read again", async () => {
  await inFolder(async (folder) => {
    const path = await write(folder, "a.json", REPORT);
    await addToIndex(placeIn(folder), path, { ...REPORT, complete: false });
    const index = `${folder}/results/index.jsonl`;
    const line = await Deno.readTextFile(index);
    match(line, /^\{"format":1,/);
    for (
      const other of [
        line.replace('"format":1', '"format":2'),
        line.replace('"format":1,', ""),
        line.replace('"hasCosts":false,', ""),
      ]
    ) {
      await Deno.writeTextFile(index, other);
      deepStrictEqual(
        (await readHistory(placeIn(folder), complain)).map(({ complete }) => complete),
        [
          true,
        ],
      );
      match(await Deno.readTextFile(index), /^\{"format":1,.*"complete":true/m);
    }
  });
});

Deno.test("a report of another format is no run, even if the index knows it", async () => {
  await inFolder(async (folder) => {
    const experiment = { ...REPORT.experiment, kind: "noise" } as const;
    const noise = { ...REPORT, experiment, noise: DUEL.noise };
    const path = await write(folder, "a.json", noise);
    await addToIndex(placeIn(folder), path, noise);
    await Deno.writeTextFile(path, JSON.stringify({ ...noise, schemaVersion: 2 }));
    const index = `${folder}/results/index.jsonl`;
    const line = await Deno.readTextFile(index);
    await Deno.writeTextFile(index, line.replace('"format":1', '"format":2'));
    const problems: string[] = [];
    deepStrictEqual(await readHistory(placeIn(folder), (message) => problems.push(message)), []);
    deepStrictEqual(problems.length, 1);
    match(problems[0] ?? "", /a\.json: its format is 2, and this Stampede reads format 1 only/);
    strictEqual(await newestNoise(placeIn(folder), () => true), null);
  });
});

Deno.test("the newest report, and the newest of stampede noise", async () => {
  await inFolder(async (folder) => {
    await rejects(
      newestReport(placeIn(folder)),
      /There is no report in results\/: name a file, or measure first, with stampede/,
    );
    strictEqual(await newestNoise(placeIn(folder), () => true), null);
    await write(folder, "b.json", later);
    const experiment = { ...REPORT.experiment, kind: "noise" } as const;
    await write(folder, "a.json", { ...REPORT, experiment, noise: DUEL.noise });
    strictEqual(await newestReport(placeIn(folder)), join(folder, "results/b.json"));
    strictEqual((await newestNoise(placeIn(folder), () => true))?.path, "results/a.json");
    strictEqual(await newestNoise(placeIn(folder), () => false), null);
    const createdAt = "2026-03-01T00:00:00.000Z";
    await write(folder, "c.json", { ...REPORT, createdAt, results: [] });
    strictEqual(await newestReport(placeIn(folder)), join(folder, "results/b.json"));
    const key = { variant: "deno", round: 1, scenario: null, perS: null } as const;
    const costs = [{ ...key, cost: "idleBytes", value: 1e6, isLate: false } as const];
    await write(folder, "d.json", { ...REPORT, createdAt, results: [], costs });
    strictEqual(await newestReport(placeIn(folder)), join(folder, "results/d.json"));
  });
});
