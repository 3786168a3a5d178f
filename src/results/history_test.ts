import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import type { Report } from "../model/report.ts";
import { addToIndex, historyTable, newestNoise, newestReport, readHistory } from "./history.ts";
import { writeReport } from "./store.ts";
import { DUEL, REPORT } from "../view/testdata.ts";

/** Runs a test in a folder of its own, with a folder `results` in it. */
async function inFolder(test: () => Promise<void>): Promise<void> {
  const before = Deno.cwd();
  const folder = await Deno.makeTempDir();
  Deno.chdir(folder);
  try {
    await Deno.mkdir("results");
    await test();
  } finally {
    Deno.chdir(before);
    await Deno.remove(folder, { recursive: true });
  }
}

async function write(name: string, report: Report): Promise<string> {
  const path = join("results", name);
  await writeReport(path, report);
  return path;
}

const later = { ...DUEL, createdAt: "2026-02-01T00:00:00.000Z" };
const complain = (message: string): void => {
  throw new Error(message);
};
const files = async (): Promise<string[]> => (await readHistory(complain)).map(({ file }) => file);

Deno.test("the index knows what was added to it, and what lies there besides, once", async () => {
  await inFolder(async () => {
    await addToIndex(await write("b.json", later), later);
    await write("a.json", REPORT);
    deepStrictEqual(await files(), ["a.json", "b.json"]);
    deepStrictEqual(await files(), ["a.json", "b.json"]);
    const index = await Deno.readTextFile("results/index.jsonl");
    strictEqual(index.trim().split("\n").length, 2);
    await Deno.remove("results/a.json");
    deepStrictEqual(await files(), ["b.json"], "what is gone is left out");
  });
});

Deno.test("a report that was written again is known as it is now", async () => {
  await inFolder(async () => {
    const path = await write("a.json", REPORT);
    await addToIndex(path, { ...REPORT, complete: false });
    await addToIndex(path, REPORT);
    const [entry, ...others] = await readHistory(complain);
    deepStrictEqual([entry?.complete, others.length], [true, 0]);
  });
});

Deno.test("reports elsewhere are not indexed", async () => {
  await inFolder(async () => {
    await addToIndex("/tmp/elsewhere.json", REPORT);
    deepStrictEqual(await files(), []);
  });
});

Deno.test("half a line and foreign files do no harm", async () => {
  await inFolder(async () => {
    await addToIndex(await write("a.json", REPORT), REPORT);
    await Deno.writeTextFile("results/index.jsonl", '{"file": "half', { append: true });
    await Deno.writeTextFile("results/b.json", "{}");
    const problems: string[] = [];
    const entries = await readHistory((message) => problems.push(message));
    deepStrictEqual(entries.map(({ file }) => file), ["a.json"]);
    strictEqual(problems.length, 1);
    match(problems[0] ?? "", /results\/b\.json: it is JSON, but no report of Stampede/);
  });
});

Deno.test("the newest report, and the newest of bench noise", async () => {
  await inFolder(async () => {
    await rejects(newestReport(), /There is no report in results\/: name a file, or run bench/);
    strictEqual(await newestNoise(() => true), null);
    await write("b.json", later);
    const command = ["deno", "task", "bench", "noise", "text"];
    await write("a.json", { ...REPORT, command, noise: DUEL.noise });
    strictEqual(await newestReport(), "results/b.json");
    strictEqual((await newestNoise(() => true))?.path, "results/a.json");
    strictEqual(await newestNoise(() => false), null);
  });
});

Deno.test("historyTable has a row for each run and server, the scenarios beside each other", async () => {
  await inFolder(async () => {
    await write("a.json", { ...REPORT, complete: false });
    await write("b.json", { ...later, commit: { id: "f".repeat(40), isDirty: true } });
    const { columns, rows } = historyTable(await readHistory(complain));
    const headings = columns.map(({ heading }) => heading);
    deepStrictEqual(headings.slice(0, 5), ["When", "Commit", "Report", "Server", "delay"]);
    deepStrictEqual(rows.map(({ cells }) => cells.slice(0, 4)), [
      ["2026-01-01 00:00", "0123456", "a.json (interrupted)", "deno"],
      ["2026-02-01 00:00", "fffffff+", "b.json", "deno"],
      ["2026-02-01 00:00", "fffffff+", "b.json", "node"],
    ]);
    const text = headings.indexOf("text");
    deepStrictEqual(rows.map(({ cells }) => cells[text]), ["≥ 77,640", "≥ 77,640", "≥ 77,640"]);
    deepStrictEqual(rows[0]?.cells[headings.indexOf("sql1")], "–", "what failed has no rate");
  });
});
