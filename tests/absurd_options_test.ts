/** Runs every option of every command with absurd values. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { OPTIONS } from "../src/cli/options/option_table.ts";
import { Sandbox } from "./bench.ts";
import { execute } from "./in_process.ts";

const ABSURD = [
  "",
  " ",
  "-1",
  "1.5.2",
  "0x10",
  "1e309",
  "NaN",
  "Infinity",
  "9".repeat(400),
  "１２",
  "1;reboot",
  "$(reboot)",
  "../".repeat(2000),
  "a\nb",
  "a\0b",
  "\u001b[31mred",
  "\u202Eright to left",
  "{}",
  "null",
  "__proto__",
  "constructor",
  "--rounds",
] as const;
/** Options that accept any text or file name. */
const TEXTS = new Set([
  "--base",
  "--head",
  "--good",
  "--bad",
  "--from",
  "--to",
  "--noise",
  "--explain",
  "--out",
  "--repository",
  "--resume",
  "--html",
  "--markdown",
  "--csv",
  "--kubernetes",
  "--target",
  "--cache",
  "--host",
  "--request",
  "--header",
  "--data",
  "--scenario",
  "--mix",
  "--like",
  "--servers",
  "--server",
  "--only",
  "--preset",
]);

const WITH_VALUE = OPTIONS.flatMap(({ flags, commands }) => {
  const [, name] = /(--[\w-]+) </.exec(flags) ?? [];
  return name === undefined ? [] : commands.map((command) => ({ name, command }));
});

/** Runs a command that must not start anything, and returns its outcome. */
async function say(
  args: readonly string[],
  folder: string,
): Promise<{ code: number; stderr: string; all: string }> {
  const { code, stdout, stderr } = await execute(args, { folder });
  return { code, stderr, all: stdout + stderr };
}

Deno.test("an option that takes a number or a choice refuses whatever is none, and names itself", async () => {
  await using sandbox = await Sandbox.create();
  let tries = 0;
  for (const { name, command } of WITH_VALUE.filter(({ name }) => !TEXTS.has(name))) {
    for (const value of ABSURD) {
      const { code, stderr, all } = await say([command, `${name}=${value}`], sandbox.folder);
      const what = `${command} ${name}=${JSON.stringify(value)}: ${all}`;
      strictEqual(code, 2, what);
      ok(stderr.includes(name), what);
      ok(stderr.trimEnd().split("\n").length <= 2, what);
      tries++;
    }
  }
  ok(tries > 500, String(tries));
});

Deno.test("an option that takes a text takes it, or says in a few lines what is wrong", async () => {
  await using sandbox = await Sandbox.create();
  const ofRun = WITH_VALUE.filter(({ name, command }) => TEXTS.has(name) && command === "run");
  for (const { name } of ofRun) {
    for (const value of ABSURD) {
      const args = ["run", "text", "--dry-run", `${name}=${value}`];
      const { code, stderr, all } = await say(args, sandbox.folder);
      const what = `${name}=${JSON.stringify(value.slice(0, 40))}: ${JSON.stringify(all)}`;
      // A path that cannot be written is a failure, not wrong usage
      ok([0, 2].includes(code) || code === 1 && stderr.startsWith("Cannot write"), what);
      strictEqual(code === 0, stderr === "", what);
      ok(stderr.trimEnd().split("\n").length <= 3, what);
      ok(!["\0", "\u001b", "\u202E"].some((steering) => all.includes(steering)), what);
      ok(!/^ +at /m.test(all), what);
    }
  }
  deepStrictEqual(await Array.fromAsync(Deno.readDir(sandbox.folder), ({ name }) => name), ["tmp"]);
});
