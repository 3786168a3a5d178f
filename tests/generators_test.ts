import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { findGenerator } from "../src/load/find.ts";
import { TOOLS } from "../src/load/tools/mod.ts";
import type { Report } from "../src/model/report.ts";
import { Sandbox } from "./bench.ts";

const CANNED = new URL("./servers/canned/server.json", import.meta.url).pathname;
const QUICK = ["--rounds", "3", "--max-rounds", "3", "-z", "1", "--warmup", "0.5"];
const found = await findGenerator("wrk");
const WRK = "path" in found ? found.path : null;

/** A folder in which `wrk` is a script that misbehaves once, then is the real one. */
async function misbehaving(sandbox: Sandbox, how: string): Promise<Record<string, string>> {
  const folder = `${sandbox.folder}/bin`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(
    `${folder}/wrk`,
    `#!/bin/sh
case "$*" in *--version*) exec ${WRK} --version ;; esac
# The warm-up of the first window, its window, and then it has been.
echo x >> ${folder}/runs
if [ "$(wc -l < ${folder}/runs)" = 2 ]; then ${how}; fi
exec ${WRK} "$@"
`,
    { mode: 0o755 },
  );
  return { PATH: `${folder}:${Deno.env.get("PATH")}` };
}

for (
  const { name, how, says } of [
    {
      name: "is killed",
      how: "kill -9 $$",
      says: /wrk answered what cannot be read \(wrk ended with exit code 137/,
    },
    {
      name: "prints garbage",
      how: "echo Segmentation fault?; exit 0",
      says: /wrk answered what cannot be read \(wrk printed no whole JSON/,
    },
    {
      name: "hangs",
      how: "exec sleep 1000",
      says: /The load generator wrk hung: no answer within/,
    },
  ]
) {
  Deno.test({
    name: `a load generator that ${name} costs one window, and the run goes on`,
    ignore: WRK === null,
    async fn(): Promise<void> {
      await using sandbox = await Sandbox.create();
      const env = await misbehaving(sandbox, how);
      const args = ["text", "--server", CANNED, "--generator", "wrk", ...QUICK];
      const { code, stdout, stderr } = await sandbox.run(args, env);
      strictEqual(code, 1, stdout + stderr);
      match(stdout, says);
      match(stdout, /^text: 1 of 3 rounds failed: /m);
      match(stdout, /^text +(≥ )?[\d,.]+ /m);
      const [report] = await sandbox.reports() as unknown as Report[];
      const failures = report?.results.flatMap(({ failure }) => failure ?? []) ?? [];
      strictEqual(failures.length, 1);
      if (name === "prints garbage") match(failures[0]?.output ?? "", /Segmentation fault\?/);
      deepStrictEqual(await sandbox.leftovers(), []);
    },
  });
}

Deno.test("a load generator that is not here is a line that says how to get it", async () => {
  await using sandbox = await Sandbox.create();
  const env = { PATH: sandbox.folder };
  const list = await sandbox.run(["list", "generators"], env);
  strictEqual(list.code, 0, list.stderr);
  match(list.stdout, /^ +autocannon +9\.\d+\.\d+ +npm:autocannon +[\d,.]+ answers a second/m);
  for (const { id, install } of TOOLS) {
    ok(list.stdout.includes(`${id.padEnd(20)}not here: ${install}\n`), list.stdout);
    const { code, stdout, stderr } = await sandbox.run(["text", "--generator", id], env);
    deepStrictEqual([code, stdout, stderr], [
      2,
      "",
      `The load generator ${id} is not here: ${install}\n`,
    ]);
  }
});

Deno.test("bench generators has a row for each load generator, here or not", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run(["generators", "--quick"]);
  strictEqual(code, 0, stdout + stderr);
  for (const id of ["autocannon", ...TOOLS.map(({ id }) => id)]) {
    const row = /^ +(≥ )?[\d,.]+ +– +[\d,.]+ µs +[\d,.]+ µs /;
    const line = stdout.split("\n").find((line) => line.startsWith(`${id} `)) ?? "";
    ok(row.test(line.slice(id.length)) || line.slice(id.length).includes("not here: "), line);
  }
  match(stdout, /^autocannon +(≥ )?[\d,.]+ /m);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("bench --generator auto takes the one that reaches most here", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", "--server", CANNED, "--generator", "auto", "--quick"];
  const { code, stderr } = await sandbox.run(args);
  strictEqual(code, 0, stderr);
  const reached = [...stderr.matchAll(/^(\w+): ([\d,.]+) answers a second against canned bytes$/gm)]
    .map(([, id, rate = ""]) => [id, Number(rate.replaceAll(",", ""))] as const);
  ok(reached.length > 0, stderr);
  const [best] = reached.toSorted(([, a], [, b]) => b - a);
  match(stderr, new RegExp(`^Loading with ${best?.[0]}$`, "m"));
  const [report] = await sandbox.reports() as unknown as Report[];
  strictEqual(report?.config.generator, best?.[0]);
});
