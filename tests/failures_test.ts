import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type Outcome, Sandbox, until } from "./bench.ts";

const RUN = ["text", "sql1", "--rounds", "2", "--seed", "1", "-z", "3"];

/** Starts a run, lets something happen to it in the middle of its second window, and waits. */
async function disturb(
  sandbox: Sandbox,
  happen: (pid: number) => Promise<void> | void,
): Promise<Outcome> {
  const running = sandbox.start(RUN);
  await until(() => running.written().includes("[1/4]"), "the first window has ended");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await happen(running.process.pid);
  return await running.outcome;
}

async function kill(sandbox: Sandbox, text: string): Promise<void> {
  const [victim] = await sandbox.processes(text);
  ok(victim, `there is no ${text}`);
  Deno.kill(victim.pid, "SIGKILL");
}

Deno.test("bench survives that its server is killed", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout } = await disturb(sandbox, () => kill(sandbox, "src/server/main.ts"));
  strictEqual(code, 1);
  match(stdout, /: 1 of 2 rounds failed: the server Deno was killed by SIGKILL/);
  const [report] = await sandbox.reports();
  deepStrictEqual([report?.complete, report?.results.length], [true, 4]);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("bench survives that its load generator is killed", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout } = await disturb(sandbox, () => kill(sandbox, "autocannon_process"));
  strictEqual(code, 1);
  match(stdout, /: 1 of 2 rounds failed: The load generator autocannon was killed by SIGKILL/);
  strictEqual((await sandbox.reports())[0]?.results.length, 4);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("bench ends when PostgreSQL is killed, and keeps what it has", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stderr } = await disturb(sandbox, () => kill(sandbox, "bin/postgres -D"));
  strictEqual(code, 1);
  match(stderr, /^PostgreSQL was killed by SIGKILL: nothing more can be measured$/m);
  match(stderr, /^What was measured until then is in results\/.*\.json$/m);
  strictEqual((await sandbox.reports())[0]?.complete, false);
  deepStrictEqual(await sandbox.leftovers(), []);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test(`bench stops on ${signal}, and keeps what it has`, async () => {
    await using sandbox = await Sandbox.create();
    const { code, stdout, stderr } = await disturb(sandbox, (pid) => Deno.kill(pid, signal));
    strictEqual(code, 130);
    match(stdout, /^Scenario +Req\/Sec/m);
    match(stderr, new RegExp(`^Interrupted by ${signal}\nWhat was measured until then is in`, "m"));
    const [report] = await sandbox.reports();
    deepStrictEqual([report?.complete, report?.results.length], [false, 1]);
    deepStrictEqual(await sandbox.leftovers(), []);
  });
}

Deno.test("bench stops on Ctrl-C under deno task, which passes the signal on once more", async () => {
  await using sandbox = await Sandbox.create();
  const running = sandbox.start(RUN, { runner: "task" });
  await until(() => running.written().includes("[1/4]"), "the first window has ended");
  Deno.kill(-running.process.pid, "SIGINT"); // as the terminal does, to the whole group
  const { stdout, stderr } = await running.outcome;
  match(stdout, /^Scenario +Req\/Sec/m);
  match(stderr, /^Interrupted by SIGINT\nWhat was measured until then is in \S+\.json$/m);
  await until(async () => (await sandbox.leftovers()).length === 0, "everything has gone");
});

Deno.test("nothing stays behind even if bench itself is killed", async () => {
  await using sandbox = await Sandbox.create();
  await disturb(sandbox, (pid) => Deno.kill(pid, "SIGKILL"));
  await until(async () => (await sandbox.leftovers()).length === 0, "everything has gone");
  strictEqual((await sandbox.reports())[0]?.results.length, 1);
});
