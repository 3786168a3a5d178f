import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Outcome, Sandbox, until } from "./bench.ts";

const SOAK = fileURLToPath(new URL("./soak/soak_command.ts", import.meta.url));
const LEAKY = fileURLToPath(new URL("./servers/leaky", import.meta.url));
/** Long enough to distinguish a leak from the normal growth of a new heap. */
const MINUTES = ["--minutes", "0.4"];

function soak(sandbox: Sandbox, ...args: readonly string[]): ReturnType<Sandbox["startProgram"]> {
  return sandbox.startProgram([Deno.execPath(), "run", "--quiet", "-A", SOAK, ...args]);
}

function run(sandbox: Sandbox, ...args: readonly string[]): Promise<Outcome> {
  return soak(sandbox, ...args).outcome;
}

const ignore = Deno.build.os !== "linux";

Deno.test({
  name: "a soak finds a server that leaks memory and descriptors",
  ignore,
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    const { code, stdout, stderr } = await run(sandbox, ...MINUTES, "--server", LEAKY);
    strictEqual(code, 1, stdout + stderr);
    match(stdout, /^ {2}memory \(RSS\): .*: grown$/m);
    match(stdout, /^ {2}descriptors: .*: grown$/m);
    match(stdout, /^PROBLEM: it holds \d+ descriptors/m);
    match(stdout, /^FAILED$/m);
    deepStrictEqual(await sandbox.leftovers(), []);
  },
});

Deno.test({
  name: "a soak passes Stampede's own server with hostile clients, and writes what it measured",
  ignore,
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    const out = `${sandbox.folder}/out`;
    const { code, stdout, stderr } = await run(sandbox, ...MINUTES, "--out", out);
    strictEqual(code, 0, stdout + stderr);
    match(stdout, /^ok/m);
    match(stdout, /^ {2}p50 of \/, relative: /m);
    const [, hostile = "0"] = /; (\d+) hostile clients$/m.exec(stdout) ?? [];
    ok(Number(hostile) > 100, `${hostile} hostile clients`);
    const { samples, verdict } = JSON.parse(await Deno.readTextFile(`${out}/soak.json`));
    ok(samples.length >= 40);
    strictEqual(verdict.isFine, true);
    const csv = await Deno.readTextFile(`${out}/samples.csv`);
    strictEqual(csv.trim().split("\n").length, samples.length + 1);
    match(await Deno.readTextFile(`${out}/soak.svg`), /^<svg /);
    deepStrictEqual(await sandbox.leftovers(), []);
  },
});

Deno.test({
  name: "Ctrl-C ends a soak in order, with what it has measured, and nothing stays behind",
  ignore,
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    const running = soak(sandbox, "--hours", "0.1", "--server", LEAKY);
    await until(() => / min: \d+ MiB/.test(running.written()), "it has measured something");
    running.process.kill("SIGINT");
    const { code, stdout } = await running.outcome;
    strictEqual(code, 130, stdout);
    match(stdout, /^\d+ polite requests/m);
    deepStrictEqual(await sandbox.leftovers(), []);
  },
});

Deno.test("options of a soak that make no sense are refused in a line", async () => {
  await using sandbox = await Sandbox.create();
  const cases: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [["--hours", "x"], /^--hours takes a number of at least 0, not "x"/],
    [["--minutes", "0"], /^A soak takes at least 10 s/],
    [["--hours", "1", "--minutes", "1"], /^Give --hours or --minutes, not both/],
    [["--hostile", "200"], /^--hostile takes at most 100 percent/],
    [["--server", "nothing"], /^There is no server "nothing"/],
    [["--hour", "1"], /^Unknown option '--hour'/],
    [
      ["--minutes", "1", "--warmup", "0.5"],
      /^--warmup takes less than half of the soak, which has 1\.0 min/,
    ],
    [["--samples", "nothing.csv"], /^Cannot read the samples of a soak from nothing\.csv: /],
  ];
  for (const [args, says] of cases) {
    const { code, stdout } = await run(sandbox, ...args);
    strictEqual(code, 2, args.join(" "));
    match(stdout, says);
  }
});

Deno.test("a soak judges the samples of an earlier one, with a longer warm-up", async () => {
  await using sandbox = await Sandbox.create();
  const path = fileURLToPath(new URL("../docs/evidence/2026-11-24-soak.csv", import.meta.url));
  const usual = await run(sandbox, "--samples", path);
  match(usual.stdout, /^ {2}memory \(RSS\): .*: unclear$/m);
  const longer = await run(sandbox, "--samples", path, "--warmup", "20");
  strictEqual(longer.code, 0, longer.stderr);
  match(longer.stdout, /^ {2}memory \(RSS\): .*: flat$/m);
});
