import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { delimiter } from "node:path";
import type { Report } from "../src/model/report.ts";
import { Sandbox, until } from "./bench.ts";

const PRESET = {
  id: "mine",
  title: "Some work",
  source: "somewhere",
  tables: [
    {
      title: "By time",
      scenario: "text",
      tool: "autocannon",
      connections: 4,
      seconds: 1,
      runs: 2,
      kept: "best",
      ratios: [{ name: "A : B", a: "a", b: "b" }],
      rows: [
        { id: "a", name: "System A", server: "deno-bare", published: { requestsPerS: 1000 } },
        { id: "b", name: "System B", server: "encore", published: { requestsPerS: 500 } },
      ],
    },
    {
      title: "By requests, closed",
      scenario: "text",
      tool: "autocannon",
      connections: 4,
      requests: 200,
      runs: 1,
      kept: "single",
      rows: [{ id: "a", name: "System A", server: "deno-bare", closes: true }],
    },
  ],
};

/** Variables for a machine without the `encore` command, with which the second system could run. */
async function withoutEncore(): Promise<Readonly<Record<string, string>>> {
  const folders = (Deno.env.get("PATH") ?? "").split(delimiter);
  const has = await Promise.all(
    folders.map((folder) => Deno.stat(`${folder}/encore`).then(() => true, () => false)),
  );
  return { PATH: folders.filter((_folder, i) => !has[i]).join(delimiter) };
}

Deno.test("stampede --preset measures published work and prints it beside the figures", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.writeTextFile(`${sandbox.folder}/mine.json`, JSON.stringify(PRESET));
  const { code, stdout, stderr } = await sandbox.run(
    ["--preset", "./mine.json"],
    await withoutEncore(),
  );
  strictEqual(code, 0, stdout + stderr);
  match(stdout, /^Some work\nsomewhere$/m);
  match(stdout, /^By time \(1 s over 4 connections, 2 times, with autocannon\)$/m);
  match(stdout, /^System A +1,000 +(≥ )?[\d,.]+ +(≥ )?[\d,.]+ /m);
  match(stdout, /^System B +500.0 +skipped: encore not found/m);
  match(stdout, /^A : B: published 2.00, measured –$/m);
  match(
    stdout,
    /^By requests, closed \(200 requests over 4 connections, once, with autocannon\)$/m,
  );
  match(stdout, /^System A +– +(≥ )?[\d,.]+ /m);
  const reports = await sandbox.reports() as unknown as Report[];
  strictEqual(reports.length, 2);
  const closed = reports.find(({ experiment }) => experiment.load.requests === 200);
  const measurement = closed?.trialResults[0]?.window?.measurement;
  strictEqual(measurement?.statuses["200"], 200);
  strictEqual((measurement?.connectionsOpened ?? 0) > 150, true, "a connection for each request");
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede --preset --dry-run prints the plan, and Ctrl-C ends all of its tables", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.writeTextFile(`${sandbox.folder}/mine.json`, JSON.stringify(PRESET));
  const env = await withoutEncore();
  const plan = await sandbox.run(["--preset", "./mine.json", "--dry-run"], env);
  strictEqual(plan.code, 0, plan.stderr);
  match(
    plan.stdout,
    /^By time\npreset: a, b with autocannon, at text\n +1 +round 1 +[ab] +text/m,
  );
  match(plan.stdout, /200 responses/);
  strictEqual(plan.stdout.includes("not in the manifest"), false, "no table has unused scenarios");
  deepStrictEqual(await sandbox.reports(), []);
  const long = PRESET.tables.map((table) => ({ ...table, runs: 9 }));
  await Deno.writeTextFile(
    `${sandbox.folder}/mine.json`,
    JSON.stringify({ ...PRESET, tables: long }),
  );
  const running = sandbox.start(["--preset", "./mine.json"], { env });
  await until(() => running.written().includes("[1/9]"), "the first window has ended");
  Deno.kill(running.process.pid, "SIGINT");
  const { code, stdout } = await running.outcome;
  strictEqual(code, 130);
  strictEqual(stdout.includes("By requests, closed"), false, "the next table is not begun");
  deepStrictEqual(await sandbox.leftovers(), []);
});
