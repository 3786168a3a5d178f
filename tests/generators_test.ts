import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { findGenerator, GENERATORS, TOOLS } from "../src/load/generator_list.ts";
import type { Report } from "../src/model/report.ts";
import { Sandbox } from "./bench.ts";

const CANNED = new URL("./servers/canned/server.json", import.meta.url).pathname;
const found = await findGenerator("wrk");
const WRK = "path" in found ? found.path : null;

/** Faults of a load generator, and Stampede's message for each. */
const MISHAPS = [
  {
    how: "kill -9 $$",
    says: /wrk sent an unreadable reply \(wrk ended with exit code 137/,
  },
  {
    how: "echo Segmentation fault?; exit 0",
    says: /wrk sent an unreadable reply \(wrk printed incomplete JSON/,
  },
  { how: "exec sleep 1000", says: /The load generator wrk hung: no response within 12 s/ },
] as const;

/** Makes a folder with a script `wrk` that fails in one way after the other, then runs the real one. */
async function misbehaving(sandbox: Sandbox): Promise<Record<string, string>> {
  const folder = `${sandbox.folder}/bin`;
  await Deno.mkdir(folder);
  // Each window has a warm-up before it
  const cases = MISHAPS.map(({ how }, i) => `${2 * (i + 1)}) ${how} ;;`).join("\n  ");
  await Deno.writeTextFile(
    `${folder}/wrk`,
    `#!/bin/sh
case "$*" in *--version*) exec ${WRK} --version ;; esac
echo x >> ${folder}/runs
case "$(wc -l < ${folder}/runs)" in
  ${cases}
esac
exec ${WRK} "$@"
`,
    { mode: 0o755 },
  );
  // The default is 23.5 s. A window of this test takes two, and longer on a busy machine.
  return { PATH: `${folder}:${Deno.env.get("PATH")}`, STAMPEDE_TEST_LIMIT_S: "12" };
}

Deno.test({
  name: "a load generator that is killed, prints garbage or hangs costs one window each time",
  ignore: WRK === null,
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    const env = await misbehaving(sandbox);
    const rounds = [
      "--rounds",
      "4",
      "--max-rounds",
      "4",
      "-z",
      "1",
      "--warmup",
      "1",
      "--no-slices",
      "-c",
      "1",
    ];
    const args = ["text", "--server", CANNED, "--generator", "wrk", ...rounds];
    const { code, stdout, stderr } = await sandbox.run(args, env);
    strictEqual(code, 1, stdout + stderr);
    match(stdout, /^text: 3 of 4 rounds failed: /m);
    match(stdout, /^text +(≥ )?[\d,.]+ /m);
    const [report] = await sandbox.reports() as unknown as Report[];
    const failures = report?.trialResults.flatMap(({ failure }) => failure ?? []) ?? [];
    strictEqual(failures.length, MISHAPS.length);
    for (const [i, { says }] of MISHAPS.entries()) match(failures[i]?.message ?? "", says);
    match(failures[1]?.output ?? "", /Segmentation fault\?/);
    const isRight = report?.trialResults.slice(MISHAPS.length).every(({ window }) =>
      window !== null
    );
    ok(isRight, "the run goes on");
    deepStrictEqual(await sandbox.leftovers(), []);
  },
});

Deno.test("stampede generators has a row for each load generator, here or not", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run([
    "generators",
    "--quick",
    "-z",
    "0.5",
    "--warmup",
    "0.2",
    "-c",
    "1",
  ]);
  strictEqual(code, 0, stdout + stderr);
  for (const { id } of GENERATORS) {
    const row = /^ +(≥ )?[\d,.]+ +– +[\d,.]+ µs +[\d,.]+ µs /;
    const line = stdout.split("\n").find((line) => line.startsWith(`${id} `)) ?? "";
    ok(row.test(line.slice(id.length)) || line.slice(id.length).includes("not installed: "), line);
  }
  match(stdout, /^autocannon +(≥ )?[\d,.]+ /m);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede --generator auto takes the one that reaches most here", async () => {
  await using sandbox = await Sandbox.create();
  const args = [
    "text",
    "--server",
    CANNED,
    "--generator",
    "auto",
    "--rounds",
    "1",
    "-z",
    "0.5",
    "--warmup",
    "0.2",
    "--no-slices",
  ];
  const { code, stderr } = await sandbox.run(args);
  strictEqual(code, 0, stderr);
  const reached = [
    ...stderr.matchAll(/^(\w+): ([\d,.]+) req\/s against canned bytes$/gm),
  ]
    .map(([, id, rate = ""]) => [id, Number(rate.replaceAll(",", ""))] as const);
  ok(reached.length > 0, stderr);
  const [best] = reached.toSorted(([, a], [, b]) => b - a);
  match(stderr, new RegExp(`^Loading with ${best?.[0]}$`, "m"));
  const [report] = await sandbox.reports() as unknown as Report[];
  strictEqual(report?.experiment.variants[0]?.generator, "auto");
  strictEqual(report?.generators[0]?.id, best?.[0]);
});

Deno.test("stampede list generators says what is here, with its ceiling, and how to get the rest", async () => {
  await using sandbox = await Sandbox.create();
  const list = await sandbox.run(["list", "generators"], { PATH: sandbox.folder });
  strictEqual(list.code, 0, list.stderr);
  match(list.stdout, /^ +autocannon +9\.\d+\.\d+ +npm:autocannon +[\d,.]+ req\/s against/m);
  match(
    list.stdout,
    /^ +stampede +\d+\.\d+\.\d+ +comes with Stampede +[\d,.]+ req\/s against/m,
  );
  for (const { id, install } of TOOLS) {
    ok(list.stdout.includes(`${id.padEnd(20)}not installed: ${install}\n`), list.stdout);
  }
});
