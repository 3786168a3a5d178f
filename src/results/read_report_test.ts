import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { readReport } from "./read_report.ts";

const OLD = fileURLToPath(new URL("testdata/report_0.1.0.json", import.meta.url));
const REPORT = await readReport(OLD);

async function withFile(report: unknown, test: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(path, typeof report === "string" ? report : JSON.stringify(report));
    await test(path);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("readReport reads what was written", async () => {
  await withFile(REPORT, async (path) => {
    deepStrictEqual(await readReport(path), REPORT);
  });
});

Deno.test("readReport says in one line what is wrong with a file", async () => {
  const whole = JSON.stringify(REPORT);
  const old = JSON.parse(await Deno.readTextFile(OLD));
  const [result] = REPORT.results;
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  let deepReason: unknown = null;
  for (let i = 0; i < 5000; i++) {
    deepReason = { kind: "not-ok", status: "failed", where: "x", reason: deepReason };
  }
  const cases: readonly (readonly [report: unknown, message: RegExp])[] = [
    ["", /it is empty$/],
    [" \n", /it is empty$/],
    [whole.slice(0, -100), /it is damaged or not whole: it is no valid JSON$/],
    ["<html>", /it is no JSON$/],
    ['{"metrics": {}}', /it is JSON, but no report of Stampede$/],
    ["[]", /no report of Stampede$/],
    ["null", /no report of Stampede$/],
    ["7", /no report of Stampede$/],
    [{ ...REPORT, schemaVersion: 8 }, /its format is 8, .* up to 7: take a newer Stampede$/],
    [{ ...REPORT, schemaVersion: 0 }, /it is damaged: \/schemaVersion must be equal to constant$/],
    [{ ...REPORT, results: [{}] }, /it is damaged: \/results\/0 must have/],
    [{ ...REPORT, trialResults: 7 }, /it is damaged: \/trialResults must be array$/],
    [{ ...REPORT, trialResults: [null] }, /it is damaged: \/trialResults\/0 must be object$/],
    [{ ...REPORT, experiment: null }, /it is damaged: \/experiment must be object$/],
    [
      JSON.stringify({ ...REPORT, trialResults: 0 }).replace(
        '"trialResults":0',
        `"trialResults":${deep}`,
      ),
      /damaged/,
    ],
    [{ ...REPORT, results: [{ ...result, reason: deepReason }] }, /: it is nested too deeply$/],
    [{ ...REPORT, trialResults: [7] }, /it is damaged: \/trialResults\/0 must be object$/],
    [{ ...old, results: [{}] }, /it is damaged: \/results\/0 must have/],
    [{ ...old, trialResults: 7 }, /it is damaged: \/results must be array$/],
    [{ ...old, trialResults: [null] }, /it is damaged: \/results\/0 must be object$/],
    [{ ...old, config: null }, /it is damaged: \/experiment must be object$/],
    [{ ...old, config: { ...old.config, targets: 1 } }, /\/experiment\/variants must be array$/],
    [{ ...old, command: 7, servers: {}, results: 1 }, /it is damaged: \/command must be array$/],
  ];
  for (const [report, message] of cases) {
    await withFile(report, async (path) => {
      await rejects(readReport(path), (error: Error) => {
        strictEqual(error.name, "UsageError");
        strictEqual(error.message.includes("\n"), false);
        strictEqual(message.test(error.message), true, error.message);
        return error.message.startsWith(`Cannot use the report ${path}: `);
      });
    });
  }
  await rejects(
    readReport("no/such.json"),
    /Cannot use the report no\/such.json: there is no such/,
  );
  await rejects(readReport("/"), /Cannot use the report \/: /);
});
