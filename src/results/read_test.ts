import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { readReport } from "./read.ts";
import { REPORT } from "../view/testdata.ts";

async function withFile(text: string, test: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(path, text);
    await test(path);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("readReport reads what was written", async () => {
  await withFile(JSON.stringify(REPORT), async (path) => {
    deepStrictEqual(await readReport(path), REPORT);
  });
});

Deno.test("readReport fills in what older files do not have", async () => {
  const { commit: _commit, scenarios: _scenarios, ...older } = structuredClone(REPORT);
  const results = older.results.map(({ window, ...rest }) => {
    const { referenceUs: _reference, ...others } = window ?? {};
    return { ...rest, window: window && others };
  });
  await withFile(JSON.stringify({ ...older, results }), async (path) => {
    const report = await readReport(path);
    deepStrictEqual([report.commit, report.scenarios], [null, []]);
    strictEqual(report.results[0]?.window?.referenceUs, null);
    strictEqual(report.results[1]?.window, null);
  });
});

Deno.test("readReport reads what was written before load generators and requests were recorded", async () => {
  const { generators: _generators, ...older } = structuredClone(REPORT);
  const { requests: _requests, timeoutS: _timeoutS, ...config } = older.config;
  const results = older.results.map((result) => {
    const { output: _output, ...failure } = result.failure ?? {};
    return { ...result, failure: result.failure && failure };
  });
  await withFile(JSON.stringify({ ...older, config, results }), async (path) => {
    const report = await readReport(path);
    deepStrictEqual([report.generators, report.config.requests], [[], null]);
    strictEqual(report.results[1]?.failure?.output, null);
  });
});

Deno.test("readReport says in one line what is wrong with a file", async () => {
  const whole = JSON.stringify(REPORT);
  const cases: readonly (readonly [text: string, message: RegExp])[] = [
    ["", /it is empty$/],
    [" \n", /it is empty$/],
    [whole.slice(0, -100), /it is damaged or not whole: it is no valid JSON$/],
    ["<html>", /it is no JSON$/],
    ['{"metrics": {}}', /it is JSON, but no report of Stampede$/],
    ["[]", /no report of Stampede$/],
    ["null", /no report of Stampede$/],
    ["7", /no report of Stampede$/],
    [JSON.stringify({ ...REPORT, schemaVersion: 2 }), /its format is 2, .* up to 1: take a newer/],
    [JSON.stringify({ ...REPORT, cells: [{}] }), /it is damaged: \/cells\/0 must have/],
    [JSON.stringify({ ...REPORT, results: 7 }), /it is damaged: \/results must be array$/],
    [JSON.stringify({ ...REPORT, results: [null] }), /it is damaged: \/results\/0 must be object$/],
    [JSON.stringify({ ...REPORT, config: null }), /it is damaged: \/config must be object$/],
    [JSON.stringify({ ...REPORT, results: [7] }), /it is damaged: \/results\/0 must be object$/],
  ];
  for (const [text, message] of cases) {
    await withFile(text, async (path) => {
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
