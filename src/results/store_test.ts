import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { DUEL, REPORT } from "../view/report_testdata.ts";
import { readReport } from "./read_report.ts";
import { claimPath, fileName, isUnderWay, markUnderWay, ReportFile, writeReport } from "./store.ts";

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("writeReport leaves the report and nothing else", async () => {
  await withFolder(async (folder) => {
    const path = await claimPath(join(folder, "new", "report.json"));
    await writeReport(path, REPORT);
    await writeReport(path, REPORT);
    deepStrictEqual(JSON.parse(await Deno.readTextFile(path)), REPORT);
    strictEqual((await Array.fromAsync(Deno.readDir(join(folder, "new")))).length, 1);
  });
});

Deno.test("claimPath leaves no folder behind, and none that was there goes", async () => {
  await withFolder(async (folder) => {
    await Deno.mkdir(join(folder, "old"));
    await claimPath(join(folder, "old", "new", "newer", "report.json"));
    deepStrictEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["old"]);
    strictEqual((await Array.fromAsync(Deno.readDir(join(folder, "old")))).length, 0);
  });
});

Deno.test("runs that begin at once in one folder do not take it from each other", async () => {
  await withFolder(async (folder) => {
    for (let i = 0; i < 50; i++) {
      const results = join(folder, `results-${i}`);
      const runs = Array.from({ length: 8 }, async (_run, j) => {
        const path = await claimPath(join(results, `${j}.json`));
        if (j % 2 === 0) await writeReport(path, REPORT);
      });
      await Promise.all(runs);
      strictEqual((await Array.fromAsync(Deno.readDir(results))).length, 4);
    }
  });
});

Deno.test("claimPath leaves what is there alone, and follows links", async () => {
  await withFolder(async (folder) => {
    const real = join(folder, "real.json");
    await Deno.writeTextFile(real, "precious");
    await Deno.symlink("real.json", join(folder, "link.json"));
    strictEqual(await claimPath(join(folder, "link.json")), await Deno.realPath(real));
    strictEqual(await Deno.readTextFile(real), "precious");
  });
});

Deno.test("claimPath says where a report cannot be written", async () => {
  await rejects(claimPath("/dev/null/x.json"), {
    name: "Failure",
    message: /Cannot write the report to \/dev\/null\/x.json/,
  });
  // A place where even root cannot write
  await rejects(claimPath("/sys/x.json"), {
    name: "Failure",
    message: /^Cannot write the report to \/sys\/x.json: (Permission denied|.*read-only)/i,
  });
  for (const path of ["", "/dev/null", "/"]) {
    await rejects(claimPath(path), { name: "UsageError", message: /that is not a file/ }, path);
  }
});

Deno.test("fileName sorts by time", () => {
  strictEqual(
    fileName({ createdAt: "2026-01-02T03:04:05.678Z", id: "ab" }),
    "2026-01-02T03-04-05-ab.json",
  );
});

Deno.test("a report is under way until its run ends, and not if its process was killed", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/x.json`;
  strictEqual(await isUnderWay(path), false);
  {
    await using mark = await markUnderWay(path);
    strictEqual(mark.isTaken, false);
    strictEqual(await isUnderWay(path), true);
    strictEqual(await isUnderWay(`${folder}/y.json`), false);
    {
      await using second = await markUnderWay(path);
      strictEqual(second.isTaken, true);
    }
    strictEqual(await isUnderWay(path), true, "the second run leaves the marker of the first");
  }
  strictEqual(await isUnderWay(path), false);
  // A killed process leaves a marker without a lock
  await Deno.writeTextFile(`${folder}/.x.json.running`, "");
  strictEqual(await isUnderWay(path), false);
  deepStrictEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  await Deno.remove(folder);
});

Deno.test("a folder that cannot be written to ends no run", async () => {
  await using _mark = await markUnderWay("/nosuch/x.json");
  strictEqual(await isUnderWay("/nosuch/x.json"), false);
});

Deno.test("a report that cannot be written ends no run, and the next one is", async () => {
  const folder = await Deno.makeTempDir();
  const results = `${folder}/results`;
  const inTheWay = "a file where the folder should be";
  await Deno.writeTextFile(results, inTheWay);
  const messages: string[] = [];
  const file = new ReportFile(`${results}/x.json`, (text) => void messages.push(text));
  await file.write(REPORT);
  await file.write(REPORT);
  match(file.problem ?? "", /^Cannot write .*x\.json: .*; the file has nothing of this run$/);
  strictEqual(messages.length, 1, "once");
  match(messages[0] ?? "", /^Cannot write .*; the run continues and tries again$/);
  const resumed = new ReportFile(`${results}/x.json`, () => {}, 7);
  await resumed.write(REPORT);
  match(resumed.problem ?? "", /; the file has the run's first 7 windows$/);
  await Deno.remove(results);
  await file.write(REPORT);
  strictEqual(file.problem, null);
  await Deno.rename(results, `${folder}/gone`);
  await Deno.writeTextFile(results, inTheWay);
  await file.write(DUEL);
  const { length } = REPORT.trialResults;
  match(file.problem ?? "", new RegExp(`; the file has the run's first ${length} windows?$`));
  strictEqual(messages.length, 2);
  deepStrictEqual(await readReport(`${folder}/gone/x.json`), REPORT);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("what others make of the report meanwhile is set aside, once", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/x.json`;
  await Deno.writeTextFile(path, "an older report, which the person wants replaced");
  const messages: string[] = [];
  const file = new ReportFile(path, (text) => void messages.push(text));
  await file.write(REPORT);
  await Deno.remove(path);
  await file.write(REPORT); // who removes it wants nothing kept
  deepStrictEqual(messages, []);
  await Deno.writeTextFile(`${path}.changed-1`, "of an earlier run");
  await Deno.writeTextFile(path, "mine");
  await file.write(DUEL);
  match(
    messages[0] ?? "",
    /^Another program changed .*x\.json: its version is now .*x\.json\.changed-2;/,
  );
  strictEqual(await Deno.readTextFile(`${path}.changed-2`), "mine");
  await Deno.writeTextFile(path, "of a run with the same --out, say, which writes as often");
  await file.write(DUEL);
  strictEqual(messages.length, 1);
  deepStrictEqual(await readReport(path), DUEL);
  strictEqual((await Array.fromAsync(Deno.readDir(folder))).length, 3);
  await Deno.remove(folder, { recursive: true });
});
