import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Report } from "../src/model/report.ts";
import type { Server } from "../src/model/server.ts";
import { Sandbox } from "./bench.ts";
import { errorsOf } from "./report_schema.ts";

const SHORT = ["--rounds", "1", "-z", "0.5", "--warmup", "0.2", "-c", "1"];
const WINDOWS = [...SHORT, "--no-slices"];

Deno.test("stampede --quick measures every scenario without an error", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run([
    "--quick",
    "-z",
    "0.5",
    "--warmup",
    "0.3",
    "-c",
    "1",
  ]);
  const row =
    /^\w+ +(≥ )?[\d,.]+ .* (server|database|generator|connections|idle|machine|unknown)$/gm;
  deepStrictEqual([code, stdout.match(row)?.length], [0, 8]);
  match(stdout, /The report is in results\/.*\.json/);
  match(stderr, /Using PostgreSQL 18\.\d+ at postgres:\/\/stampede@127\.0\.0\.1:\d+\/.*embedded/);
  const [report] = await sandbox.reports();
  deepStrictEqual([report?.complete, report?.trialResults.length, report?.results.length], [
    true,
    8,
    8,
  ]);
  deepStrictEqual(errorsOf(report), [], "the schema takes it");
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede --json prints the report and nothing else; --out says where it goes", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", ...WINDOWS, "--json", "--out", "deep/report.json"];
  // The PATH contains no git or other program
  const { code, stdout, stderr } = await sandbox.run(args, { PATH: "/nowhere" });
  strictEqual(code, 0, stderr);
  const report = JSON.parse(stdout);
  strictEqual(report.commit, null);
  const stored = await Deno.readTextFile(`${sandbox.folder}/deep/report.json`);
  deepStrictEqual(JSON.parse(stored), report);
  const [{ window: { ceiling, database } }] = report.trialResults;
  const [{ responses, checkedBodies }] = report.results;
  strictEqual(checkedBodies, responses);
  ok(ceiling.responsesPerS > 0);
  strictEqual(database, null);
  strictEqual(report.database, null);
});

Deno.test("two runs beside each other, and a third in another language, keep out of each other's way", async () => {
  await using sandbox = await Sandbox.create();
  const german = { LC_ALL: "de_DE.UTF-8", LANG: "de_DE.UTF-8", COLUMNS: "40" };
  const runs = [{}, {}, german].map((env) => sandbox.run(["text", ...WINDOWS], env));
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    strictEqual(code, 0, stderr);
    match(stdout, /^text +(≥ )?[\d,]+(\.\d)? /m);
  }
  strictEqual((await sandbox.reports()).length, 3);
  const index = await Deno.readTextFile(`${sandbox.folder}/results/index.jsonl`);
  strictEqual(index.trim().split("\n").length, 3);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede runs in a checkout whose path has blanks, quotes and other letters", async () => {
  await using sandbox = await Sandbox.create();
  const root = `${sandbox.folder}/a b é '$HOME "q"/`;
  await Deno.mkdir(root);
  const parts = [
    "bench.ts",
    "fetch.ts",
    "deno.json",
    "deno.lock",
    "hello.html",
    "src",
    "scenarios",
    "peers",
  ];
  const from = fileURLToPath(new URL("..", import.meta.url));
  const paths = parts.map((part) => from + part);
  strictEqual((await new Deno.Command("cp", { args: ["-R", ...paths, root] }).output()).code, 0);
  await Deno.symlink(`${from}node_modules`, `${root}node_modules`);
  const running = sandbox.start(["sql1", "primes", ...WINDOWS], { root });
  const { code, stdout, stderr } = await running.outcome;
  strictEqual(code, 0, stdout + stderr);
  strictEqual((await sandbox.reports())[0]?.trialResults.length, 2);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede leaves an earlier report alone until it has something to put there", async () => {
  await using sandbox = await Sandbox.create();
  const path = `${sandbox.folder}/mine.json`;
  await Deno.writeTextFile(path, "precious");
  const running = sandbox.start(["sql1", "--out", "mine.json"]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  Deno.kill(running.process.pid, "SIGINT");
  strictEqual((await running.outcome).code, 130);
  strictEqual(await Deno.readTextFile(path), "precious");
});

Deno.test("the shell's variables win over those of a file .env", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.writeTextFile(`${sandbox.folder}/.env`, "PORT=70001\nQUEUE_LIMIT=-1\n");
  const { code, stderr } = await sandbox.run(["serve"], { PORT: "70002", QUEUE_LIMIT: "1" });
  strictEqual(code, 2);
  match(stderr, /'70002' from env 'PORT' is invalid/);
  match((await sandbox.run(["serve"], { PORT: "8000" })).stderr, /'-1' from env 'QUEUE_LIMIT'/);
});

Deno.test("stampede verify goes on after a server that cannot be had or does wrong", async () => {
  await using sandbox = await Sandbox.create();
  const manifests = await Promise.all([
    writeManifest(sandbox, { id: "gone", start: ["no-such-program"] }),
    writeManifest(sandbox, {
      id: "missing",
      requires: [{ command: ["no-such-program"], minimum: "1", install: "get it" }],
    }),
    writeManifest(sandbox, { id: "wrong", exceptions: { "http-1.0": "none wanted" } }),
  ]);
  const args = manifests.flatMap((path) => ["--server", path]);
  const { code, stdout } = await sandbox.run(["verify", "text", ...args]);
  strictEqual(code, 1);
  match(stdout, /^FAIL {2}gone start: Cannot start gone: no-such-program/m);
  match(stdout, /^skip {2}missing skipped: .*no-such-program/m);
  match(stdout, /^pass {2}wrong text: returns Hello world$/m);
  match(stdout, /^FAIL {2}wrong unknown-path: .*: expected status 404, got 200 Hello world$/m);
  match(stdout, /^warn {2}wrong http-1\.0: .*: expected .* \(excepted: none wanted\)$/m);
  match(stdout, /^warn {2}wrong method: .*: expected status 405 for POST \/, got 200$/m);
  match(stdout, /^\d+ passed, [23] warned, \d failed; skipped: missing$/m);
  deepStrictEqual(await sandbox.leftovers(), []);
});

/** A server that answers every request with Hello world and keeps every connection. */
const CARELESS = `
import { createServer } from "node:net";
const body = "Hello world";
createServer((socket) => {
  socket.on("error", () => {});
  socket.on("data", () => socket.write(
    "HTTP/1.1 200 OK\\r\\ncontent-type: text/plain;charset=utf-8\\r\\ncontent-length: 11\\r\\n\\r\\n" + body,
  ));
}).listen(Number(Deno.env.get("PORT")), "127.0.0.1");
`;

/** Writes such a server with a modified manifest and returns the manifest's path. */
async function writeManifest(sandbox: Sandbox, manifest: Partial<Server>): Promise<string> {
  const folder = `${sandbox.folder}/${manifest.id}`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/main.js`, CARELESS);
  const whole = {
    name: manifest.id,
    language: "JavaScript",
    scenarios: { text: {} },
    start: ["deno", "run", "--quiet", "--no-config", "-A", "main.js"],
    ...manifest,
  };
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(whole));
  return `${folder}/server.json`;
}

Deno.test("stampede doctor says what it found of every aspect, and what to do", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout } = await sandbox.run(["doctor", "-c", "10000"]);
  strictEqual(code, 0);
  for (
    const aspect of ["cores", "load", "CPU quota", "open files", "ports", "memory", "wake-ups"]
  ) {
    match(stdout, new RegExp(`^(ok|warn|unknown) +${aspect} +\\S`, "m"));
  }
  match(stdout, /^(\d+ of \d+ checks found|No cause of noise)/m);
});

Deno.test("stampede noise measures a server against itself", async () => {
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run(["noise", "text", ...SHORT]);
  strictEqual(code, 0, stderr);
  match(stdout, /^text +slices +[\d.]+ +– +– +[\d.]+ +– +– +1$/m);
  // On a busy machine a server may use less than Linux's resolution of 10 ms
  match(stdout, /^text +windows +[\d.]+ +– +– +[\d.–]+ +– +– +1$/m);
  const [report] = await sandbox.reports() as unknown as Report[];
  strictEqual(report?.noise[0]?.requestsPerS?.rounds, 1);
  deepStrictEqual(errorsOf(report), [], "the schema takes it");
});

Deno.test("stampede --explain and --wide print the evidence, and --pin says where it cannot be", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", ...WINDOWS, "--explain", "text", "--wide", "--pin"];
  const { code, stdout, stderr } = await sandbox.run(args);
  strictEqual(code, 0, stderr);
  for (const label of ["why", "Req/Sec", "CPU/req", "server", "generator", "machine", "probe"]) {
    match(stdout, new RegExp(`^  ${label} +\\S`, "m"));
  }
  match(stdout, /^ +probe +(none: |verified [\d,]+ whole responses)/m);
  match(stdout, /^Scenario +Req\/Sec .* RSS +Bottleneck/m);
  match(stdout, /^Server +Start-up +Idle RSS$/m);
  match(stdout + stderr, /, pinned, seed|Not pinned: --pin needs/);
});
