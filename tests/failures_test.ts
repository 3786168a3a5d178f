import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { readText } from "../src/process/files.ts";
import { readProcesses } from "../src/process/tree.ts";
import { type Outcome, type Running, Sandbox, until, untilNothingIsLeft } from "./bench.ts";

/**
 * One round of four windows with the same server, so that a test can interfere with one of them. A busy
 * machine delays this by seconds, so windows are long.
 */
const RUN = [
  "text",
  "json",
  "schema",
  "sql1",
  "--no-slices",
  "--rounds",
  "1",
  "--seed",
  "1",
  "-z",
  "6",
  "--warmup",
  "0.2",
  "-c",
  "1",
];
/** CPU time that server and load generator both exceed only under load, in ticks of 10 ms. */
const LOADED_TICKS = 12;

/** The processes of a run during a load. */
interface Busy {
  readonly server: number;
  readonly generator: number;
}

/** Starts a run, ends something during a window after the first, and waits. */
async function disturb(
  sandbox: Sandbox,
  happen: (pid: number) => Promise<void> | void,
): Promise<Outcome> {
  const running = sandbox.start(RUN);
  await untilLoadAfter(1, sandbox, running);
  await happen(running.process.pid);
  return await running.outcome;
}

/**
 * Waits until the load of the next window has begun, by the CPU time of server and load generator. A starting
 * server uses CPU time too, so both must. The test must then act at once, because a window may soon be
 * over.
 */
async function untilLoadAfter(count: number, sandbox: Sandbox, running: Running): Promise<Busy> {
  await until(() => running.written().includes(`[${count}/`), `window ${count} has ended`);
  const firstTicks = new Map<number, number>();
  // Processes are found again each time, because those of the last window may end meanwhile
  const loaded = async (text: string): Promise<number> => {
    const [{ pid } = { pid: 0 }] = await sandbox.processes(text);
    const ticks = await ticksOf(pid).catch(() => 0);
    if (!firstTicks.has(pid)) firstTicks.set(pid, ticks);
    return ticks >= (firstTicks.get(pid) ?? 0) + LOADED_TICKS ? pid : 0;
  };
  let [server, generator] = [0, 0];
  await until(async () => {
    server = await loaded("src/server/main.ts");
    generator = await loaded("autocannon_process");
    return server !== 0 && generator !== 0;
  }, "the next load is on");
  return { server, generator };
}

async function processOf(sandbox: Sandbox, text: string): Promise<number> {
  let pid = 0;
  await until(async () => {
    pid = (await sandbox.processes(text))[0]?.pid ?? 0;
    return pid !== 0;
  }, `there is a ${text}`);
  return pid;
}

/** Returns utime plus stime of `/proc/PID/stat`. */
async function ticksOf(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13);
  return Number(user) + Number(system);
}

Deno.test("stampede survives that its server is killed, and then its load generator", async () => {
  await using sandbox = await Sandbox.create("shared");
  const running = sandbox.start(RUN);
  Deno.kill((await untilLoadAfter(1, sandbox, running)).server, "SIGKILL");
  // On a busy machine a window may end before the signal arrives; then the next one is tried
  for (const count of [2, 3]) {
    await until(() => running.written().includes(`[${count}/4]`), `window ${count} has ended`);
    const next = `[${count + 1}/4]`;
    // A failed window's generator may just be being replaced
    let [generator, before, isBusy] = [0, 0, false];
    await until(async () => {
      const [{ pid } = { pid: 0 }] = await sandbox.processes("autocannon_process");
      const ticks = await ticksOf(pid).catch(() => 0);
      if (pid !== generator) [generator, before] = [pid, ticks];
      isBusy = ticks >= before + LOADED_TICKS;
      return isBusy || running.written().includes(next);
    }, "the next load is on");
    if (isBusy) Deno.kill(generator, "SIGKILL");
    await until(() => running.written().includes(next), `window ${count + 1} has ended`);
    if (running.written().includes("autocannon was killed")) break;
  }
  const { code, stdout } = await running.outcome;
  strictEqual(code, 1);
  match(stdout, /^\w+ +failed: the server Deno was killed by SIGKILL/m);
  match(stdout, /^\w+ +failed: The load generator autocannon was killed by SIGKILL/m);
  const [report] = await sandbox.reports() as unknown as Report[];
  const failed = report?.trialResults.filter(({ window }) => window === null);
  deepStrictEqual([report?.complete, report?.trialResults.length, failed?.length], [true, 4, 2]);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("a server that is stopped in a window has no figures for it, and does not stay", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", "json", "--no-slices", "--rounds", "1", "-z", "6", "--warmup", "0.2"];
  const running = sandbox.start([...args, "-c", "1"]);
  Deno.kill((await untilLoadAfter(1, sandbox, running)).server, "SIGSTOP");
  const { code, stdout } = await running.outcome;
  strictEqual(code, 1, stdout);
  match(stdout, /^\w+ +failed: the server did not answer after the load: no response within 10 s/m);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede stops in order at an error that a scenario file throws late", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.writeTextFile(
    `${sandbox.folder}/late.ts`,
    `import { defineScenario, expectText, get } from "stampede/scenario";
     let count = 0;
     export default defineScenario({
       id: "late",
       request: get("/"),
       expect(answer) {
         expectText(answer, "Hello world");
         if (++count === 1) setTimeout(() => { throw new Error("too late"); }, 1000);
       },
     });`,
  );
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("Hello world"),
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const args = ["--scenario", "late.ts", "--rounds", "3", "-z", "1", "--warmup", "0.2", "-c", "1"];
  const { code, stdout, stderr } = await sandbox.run([origin, ...args]);
  strictEqual(code, 1, stdout);
  match(stderr, /^Uncaught error, probably in a scenario file: too late$/m);
  ok(!/^ +at /m.test(stderr), stderr);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede ends when PostgreSQL is killed, and keeps what it has", async () => {
  await using sandbox = await Sandbox.create();
  let postmaster = 0;
  const { code, stderr } = await disturb(sandbox, async () => {
    postmaster = await processOf(sandbox, "bin/postgres -D");
    strictEqual(sharedMemoryOf(postmaster), 1);
    // If it has memory outside its folder, that remains
    const shared = readText(`/proc/${postmaster}/maps`)?.match(/\/dev\/shm\/.*/g);
    Deno.kill(postmaster, "SIGKILL");
    strictEqual(shared, null);
  });
  strictEqual(code, 1);
  match(stderr, /^PostgreSQL was killed by SIGKILL: nothing more can be measured$/m);
  match(stderr, /^The partial report is in results\/.*\.json$/m);
  strictEqual((await sandbox.reports())[0]?.complete, false);
  strictEqual(sharedMemoryOf(postmaster), 0);
  deepStrictEqual(await sandbox.leftovers(), []);
});

/** Returns the number of shared memory segments that a process has made. */
function sharedMemoryOf(pid: number): number {
  const [, ...segments] = readText("/proc/sysvipc/shm")?.trim().split("\n") ?? [];
  // key, shmid, perms, size, cpid
  return segments.filter((line) => line.trim().split(/ +/)[4] === String(pid)).length;
}

Deno.test("stampede goes on after one of PostgreSQL's processes was killed", async () => {
  await using sandbox = await Sandbox.create();
  const short = ["--no-slices", "--rounds", "3", "-z", "1", "--warmup", "0.2", "-c", "1"];
  const running = sandbox.start(["sql1", ...short]);
  await until(() => running.written().includes("[1/3]"), "the first window has ended");
  const postmaster = await processOf(sandbox, "bin/postgres -D");
  let backend = 0;
  await until(() => (backend = backendOf(postmaster)) !== 0, "a server is connected");
  Deno.kill(backend, "SIGKILL");
  const { stdout, stderr } = await running.outcome;
  const [report] = await sandbox.reports() as unknown as Report[];
  deepStrictEqual([report?.complete, report?.trialResults.length], [true, 3], stderr);
  strictEqual(report?.trialResults[2]?.failure, null, stdout + stderr);
  deepStrictEqual(await sandbox.leftovers(), []);
});

/** Returns the PostgreSQL process that serves a connection, or 0. */
function backendOf(postmaster: number): number {
  for (const [pid, { parent }] of readProcesses() ?? []) {
    const isOwn = parent === postmaster && readText(`/proc/${pid}/cmdline`)?.includes("stampede");
    if (isOwn) return pid;
  }
  return 0;
}

/** The database of each run. The embedded one must end too. */
const SIGNALS = { SIGINT: "embedded", SIGTERM: "shared", SIGHUP: "shared" } as const;

Deno.test("stampede stops on each signal, and keeps what it has", async (t) => {
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  const ends = await Promise.all(names.map(async (signal) => {
    await using sandbox = await Sandbox.create(SIGNALS[signal]);
    const outcome = await disturb(sandbox, (pid) => Deno.kill(pid, signal));
    const [report] = await sandbox.reports();
    return { signal, outcome, report, leftovers: await sandbox.leftovers() };
  }));
  for (const { signal, outcome: { code, stdout, stderr }, report, leftovers } of ends) {
    await t.step(signal, () => {
      strictEqual(code, 130);
      match(stdout, /^Scenario +Req\/Sec/m);
      const said = `^Interrupted by ${signal}\nThe partial report is in`;
      match(stderr, new RegExp(said, "m"));
      // On a busy machine the second window may end before the signal arrives
      const told = stderr.match(/^\[\d\/4\] /gm)?.length ?? 0;
      ok(told >= 1 && told < 4, stderr);
      deepStrictEqual([report?.complete, report?.trialResults.length], [false, told]);
      deepStrictEqual(leftovers, []);
    });
  }
});

Deno.test("stampede stops on Ctrl-C under deno task, which passes the signal on once more", async () => {
  await using sandbox = await Sandbox.create("shared");
  const running = sandbox.start(RUN, { runner: "task" });
  await until(() => running.written().includes("[1/4]"), "the first window has ended");
  Deno.kill(-running.process.pid, "SIGINT"); // like a terminal, to the whole process group
  const { stdout, stderr } = await running.outcome;
  match(stdout, /^Scenario +Req\/Sec/m);
  match(stderr, /^Interrupted by SIGINT\nThe partial report is in \S+\.json$/m);
  await untilNothingIsLeft(sandbox);
  const [_all, path = ""] = stderr.match(/ --resume (\S+\.json)$/m) ?? [];
  const rest = await sandbox.start([...RUN, "--resume", path], { runner: "task" }).outcome;
  strictEqual(rest.code, 0, rest.stderr);
  const [report, ...others] = await sandbox.reports();
  deepStrictEqual([report?.complete, report?.trialResults.length, others], [true, 4, []]);
  deepStrictEqual(report?.parts.length, 2);
});

Deno.test("stampede stops when the deno task that started it is killed, and keeps what it has", async () => {
  await using sandbox = await Sandbox.create("shared");
  const running = sandbox.start(RUN, { runner: "task" });
  await until(() => running.written().includes("[1/4]"), "the first window has ended");
  Deno.kill(running.process.pid, "SIGKILL");
  const { stdout, stderr } = await running.outcome;
  match(stdout, /^Scenario +Req\/Sec/m);
  match(
    stderr,
    /^Interrupted: deno task, which started Stampede, has ended\nThe partial report is in/m,
  );
  await untilNothingIsLeft(sandbox);
});

Deno.test("nothing stays behind even if bench itself is killed", async () => {
  await using sandbox = await Sandbox.create();
  await disturb(sandbox, (pid) => Deno.kill(pid, "SIGKILL"));
  await untilNothingIsLeft(sandbox);
  const [report] = await sandbox.reports();
  ok(report && report.trialResults.length >= 1);
  strictEqual(report.complete, false);
});
