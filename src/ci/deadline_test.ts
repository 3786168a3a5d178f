import { deepStrictEqual } from "node:assert/strict";
import { endInTime } from "./deadline.ts";

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
