import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { beganCold, type Running, Sandbox, until, untilNothingIsLeft } from "./bench.ts";
import { errorsOf } from "./report_schema.ts";

const CANNED = new URL("./servers/canned/", import.meta.url).pathname;
const SLOPPY = new URL("./servers/sloppy/", import.meta.url).pathname;
const LINUX = Deno.build.os === "linux";
const VERSUS = [
  "versus",
  "text",
  "--servers",
  "deno-bare",
  "--base",
  CANNED,
  "--no-counts",
  "--measure",
  "none",
];
const TWO = ["--rounds", "2", "--max-rounds", "2", "--warmup", "0.2", "-c", "1"];

/** Starts a run of slices and waits until a block has begun, so that the driver exists. */
async function inBlock(sandbox: Sandbox, ...args: string[]): Promise<Running> {
  const running = sandbox.start([...VERSUS, ...TWO, ...args]);
  await until(
    async () => (await sandbox.processes("driver/slices")).length > 0,
    "a block is under way, with its driver",
  );
  return running;
}

Deno.test("stampede versus measures in slices, and its report keeps to the schema", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run([
    ...VERSUS,
    ...TWO,
    "--warmup",
    "1",
    "-z",
    "0.5",
  ]);
  const isCold = beganCold(stdout);
  strictEqual(code, isCold ? 3 : 0, stdout + stderr);
  for (const figure of isCold ? [] : ["CPU/req", "Req/Sec", "p50"]) {
    match(stdout, new RegExp(`^head +text +${figure} `, "m"));
  }
  match(stdout, /2 rounds of 0\.33 s in slices of 10 ms/);
  const [report] = await sandbox.reports() as unknown as Report[];
  deepStrictEqual(errorsOf(report), []);
  deepStrictEqual([report?.trialResults.length, report?.blocks.length], [0, 2]);
  deepStrictEqual(report?.generators, [], "none of them drove anything");
  for (const { slices } of report?.blocks ?? []) {
    for (const { checkedBodies, statuses, wrongResponses } of slices?.variants ?? []) {
      ok((statuses["200"] ?? 0) > 0);
      deepStrictEqual([checkedBodies, wrongResponses], [statuses["200"], 0]);
    }
  }
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede has what a response costs in those of the reference", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", "--servers", "deno-bare", ...TWO, "-z", "1"];
  const { code, stdout, stderr } = await sandbox.run(args);
  strictEqual(code, 0, stderr);
  match(stdout, /^Scenario +Req\/Sec.* Rel\. CPU /m);
  const [report] = await sandbox.reports() as unknown as Report[];
  const relativeCpu = report?.results[0]?.relativeCpu;
  if (LINUX) strictEqual(relativeCpu?.rounds, 2);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("a server that answers wrongly in slices cannot be compared", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["versus", "text", "--server", CANNED, "--base", CANNED, "--head", SLOPPY]
    .concat("--no-counts", "--measure", "none");
  const { code, stdout, stderr } = await sandbox.run([...args, ...TWO, "-z", "0.5"]);
  strictEqual(code, 1, stderr);
  match(stdout, /^head +text +not comparable: invalid in head: \d+ wrong responses under load/m);
});

Deno.test({
  name: "a server that is killed costs its block, and the next one has fresh ones",
  ignore: !LINUX,
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    const running = await inBlock(sandbox, "-z", "1");
    const [server] = (await sandbox.processes("main.ts"))
      .filter(({ args }) => !args.includes("bench.ts"));
    ok(server);
    Deno.kill(server.pid, "SIGKILL");
    const { code, stdout, stderr } = await running.outcome;
    strictEqual(code, 1, stderr);
    match(
      stdout,
      /^text of (base|head): 1 of 2 rounds in slices failed: the server was killed by SIGKILL$/m,
    );
    match(
      stderr,
      /^\[1\/2\] round 1: text in slices of 2 servers: (base|head): the server was killed by SIGKILL/m,
    );
    const [report] = await sandbox.reports() as unknown as Report[];
    const [first, second] = report?.blocks ?? [];
    deepStrictEqual([first?.slices, second?.failures], [null, []]);
    strictEqual(second?.slices?.variants.length, 2);
    deepStrictEqual(await sandbox.leftovers(), []);
  },
});

Deno.test({
  name: "nothing stays behind if slices are interrupted, or bench is killed in them",
  ignore: !LINUX,
  async fn(t): Promise<void> {
    await t.step("SIGINT", async () => {
      await using sandbox = await Sandbox.create();
      const running = await inBlock(sandbox, "-z", "60");
      Deno.kill(running.process.pid, "SIGINT");
      strictEqual((await running.outcome).code, 130);
      deepStrictEqual(await sandbox.leftovers(), []);
    });
    await t.step("SIGKILL", async () => {
      await using sandbox = await Sandbox.create();
      const running = await inBlock(sandbox, "-z", "60");
      Deno.kill(running.process.pid, "SIGKILL");
      await running.outcome;
      await untilNothingIsLeft(sandbox);
    });
    await t.step("the driver killed", async () => {
      await using sandbox = await Sandbox.create();
      const running = await inBlock(sandbox, "-z", "1");
      const [driver] = await sandbox.processes("driver/slices");
      ok(driver);
      Deno.kill(driver.pid, "SIGKILL");
      const { code, stderr } = await running.outcome;
      strictEqual(code, 1, stderr);
      match(stderr, /The load generator stampede was killed by SIGKILL/);
      deepStrictEqual(await sandbox.leftovers(), []);
    });
    await t.step("the driver stopped", async () => {
      await using sandbox = await Sandbox.create();
      const running = sandbox.start([...VERSUS, ...TWO, "-z", "1"], {
        env: { STAMPEDE_TEST_LIMIT_S: "6" },
      });
      let pid = 0;
      await until(
        async () => (pid = (await sandbox.processes("driver/slices"))[0]?.pid ?? 0) !== 0,
        "there is a driver",
      );
      Deno.kill(pid, "SIGSTOP");
      const { code, stderr } = await running.outcome;
      strictEqual(code, 1, stderr);
      match(stderr, /The load generator stampede hung: no response within 6 s/);
      const [report] = await sandbox.reports() as unknown as Report[];
      strictEqual(
        report?.blocks[1]?.slices?.variants.length,
        2,
        "the next round has another driver",
      );
      deepStrictEqual(await sandbox.leftovers(), []);
    });
  },
});
