import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { schedule, threadsOf } from "./scheduling.ts";

const isLinux = Deno.build.os === "linux";

/** The policy of a process's first thread: field 41 of its line. */
async function policyOf(pid: number): Promise<string | undefined> {
  const text = await Deno.readTextFile(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[38];
}

Deno.test({
  name: "threads of another program give way, and those that start later do not",
  ignore: !isLinux,
  fn: async () => {
    const child = new Deno.Command("sleep", { args: ["60"] }).spawn();
    try {
      const threads = threadsOf(child.pid);
      deepStrictEqual(threads, [child.pid]);
      schedule(threads, "idle");
      strictEqual(await policyOf(child.pid), "5");
      ok(threadsOf(Deno.pid).length > 1);
      strictEqual(await policyOf(Deno.pid), "0");
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
  },
});

Deno.test("threads that are not there are left alone", () => {
  deepStrictEqual(threadsOf(2 ** 30), []);
  schedule([], "idle");
  schedule([2 ** 30], "idle");
});
