import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { temporary, testWorld } from "./ci_testdata.ts";
import { endInTime, messageCommand, setOutputs } from "./runner.ts";

Deno.test("no text becomes another command of the log", () => {
  strictEqual(
    messageCommand("warning", "50% is\r\n::error::x\x1b[2J"),
    "::warning title=Stampede::50%25 is%0A::error::x\ufffd[2J",
  );
  strictEqual(messageCommand("error", "a\rb"), "::error title=Stampede::a\ufffdb");
});

Deno.test("an output cannot set another one", async () => {
  await using folder = await temporary();
  const output = `${folder.path}/output`;
  const world = testWorld({ GITHUB_OUTPUT: output });
  await setOutputs(world, { verdict: "x\nreport=/etc/passwd", report: "" });
  match(
    await Deno.readTextFile(output),
    /^verdict<<(stampede_[0-9a-f-]{36})\nx\nreport=\/etc\/passwd\n\1\nreport<<(stampede_[0-9a-f-]{36})\n\n\2\n$/,
  );
  await rejects(
    setOutputs(testWorld({ GITHUB_OUTPUT: folder.path }), {}),
    /^Failure: Cannot write to the file that GITHUB_OUTPUT names: /,
  );
  await setOutputs(testWorld({}), { report: "nowhere" });
});

/** Starts a script and returns after it has begun. */
async function started(script: string): Promise<Deno.ChildProcess> {
  const process = new Deno.Command("sh", {
    args: ["-c", `${script}; echo begun; while :; do sleep 0.02; done`],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = process.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return process;
}

Deno.test("a process that is late is told to stop, killed if it does not, and else left alone", async () => {
  const late: string[] = [];
  const end = async (script: string): Promise<number> =>
    await endInTime(
      await started(script),
      { timeoutMs: 50, graceMs: 200 },
      () => void late.push(script),
    );
  const stops = "trap 'exit 130' TERM";
  const stays = "trap '' TERM";
  deepStrictEqual([await end(stops), await end(stays), late], [130, 137, [stops, stays]]);
  const quick = new Deno.Command("sh", { args: ["-c", "exit 3"] }).spawn();
  const times = { timeoutMs: 60_000, graceMs: 0 };
  deepStrictEqual(await endInTime(quick, times, () => void late.push("quick")), 3);
  deepStrictEqual(late, [stops, stays]);
});
