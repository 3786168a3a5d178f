import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { defaultPath, removeReport, writeReport } from "./store.ts";
import { REPORT } from "./testdata.ts";

Deno.test("writeReport leaves the report and nothing else", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "new", "report.json");
    await writeReport(path, REPORT);
    await writeReport(path, REPORT);
    deepStrictEqual(JSON.parse(await Deno.readTextFile(path)), REPORT);
    strictEqual((await Array.fromAsync(Deno.readDir(join(folder, "new")))).length, 1);
    await removeReport(path);
    await removeReport(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("writeReport says where it cannot write", async () => {
  await rejects(writeReport("/dev/null/x.json", REPORT), {
    name: "Failure",
    message: /Cannot write the report to \/dev\/null\/x.json/,
  });
});

Deno.test("defaultPath sorts by time", () => {
  strictEqual(defaultPath("2026-01-02T03:04:05.678Z", "ab"), "results/2026-01-02T03-04-05-ab.json");
});
