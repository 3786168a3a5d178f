import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { REPORT } from "../view/report_testdata.ts";
import { readReport } from "./read_report.ts";

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
  const [result] = REPORT.results;
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  let deepReason: unknown = null;
  for (let i = 0; i < 5000; i++) {
    deepReason = { kind: "not-ok", status: "failed", where: "x", reason: deepReason };
  }
  const cases: readonly (readonly [report: unknown, message: RegExp])[] = [
    ["", /it is empty$/],
    [" \n", /it is empty$/],
    [whole.slice(0, -100), /it is damaged or incomplete: it is not valid JSON$/],
    ["<html>", /it is not JSON$/],
    ['{"metrics": {}}', /it is JSON, but not a report of Stampede$/],
    ["[]", /not a report of Stampede$/],
    ["null", /not a report of Stampede$/],
    ["7", /not a report of Stampede$/],
    ...[2, 0, 7, 1.5].map((format) =>
      [
        { ...REPORT, schemaVersion: format },
        new RegExp(
          `its format is ${format}, and this Stampede reads format 1 only: use the version .* measure again$`,
        ),
      ] as const
    ),
    [{ ...REPORT, schemaVersion: "1" }, /its format is unknown, and .* reads format 1 only/],
    [{ ...REPORT, schemaVersion: [deepReason] }, /its format is unknown, and/],
    [{ ...REPORT, kind: "walk" }, /it is damaged: its kind is unknown$/],
    [{ ...REPORT, kind: "distributed" }, /it is damaged: it must have required property/],
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
    [
      { ...REPORT, experiment: { ...REPORT.experiment, variants: 1 } },
      /\/experiment\/variants must be array$/,
    ],
    [{ ...REPORT, command: 7, servers: {}, results: 1 }, /it is damaged: \/command must be array$/],
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
