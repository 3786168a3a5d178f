import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Child } from "../../process/child.ts";
import { ProcessScope } from "../../process/scope.ts";
import { openMover } from "../../process/separation.ts";
import { sleep } from "../testdata/testing.ts";
import { DistanceMeter } from "./distance.ts";

/** Starts a process that wakes up again and again, so that Linux moves it away from busy processors. */
function startWaking(scope: ProcessScope): Child {
  return scope.spawn({ argv: ["sh", "-c", "while :; do sleep 0.01; done"] });
}

/** Measures until a measurement succeeds, and returns the round trip in nanoseconds. */
async function measured(meter: DistanceMeter, thread: number): Promise<number> {
  using mover = openMover();
  for (let tried = 0; tried < 500; tried++) {
    mover?.separate(Deno.pid, thread);
    const ns = meter.measure(thread);
    if (ns !== null) return ns;
    await sleep(10);
  }
  throw new Error("no measurement succeeded");
}

Deno.test({
  name: "DistanceMeter measures the way to another thread's processor, again and again",
  ignore: Deno.build.os !== "linux" || navigator.hardwareConcurrency < 2,
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    using meter = new DistanceMeter();
    const { pid } = startWaking(scope);
    for (let i = 0; i < 3; i++) ok(await measured(meter, pid) > 0);
  },
});

/** Runs a program that knows DistanceMeter. A meter belongs to the main thread, and tests have another one. */
async function run(code: string): Promise<Deno.CommandOutput> {
  const module = new URL("./distance.ts", import.meta.url).href;
  return await new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      "--quiet",
      "--no-lock",
      `const { DistanceMeter } = await import("${module}"); ${code}`,
    ],
    signal: AbortSignal.timeout(60_000),
  }).output();
}

Deno.test({
  name: "DistanceMeter wakes two processors in turn, but only if they are distant",
  ignore: Deno.build.os !== "linux" || navigator.hardwareConcurrency !== 2,
  async fn(): Promise<void> {
    const { stdout } = await run(`
      const sleeps = () => Number(/^voluntary_ctxt_switches:\\s*(\\d+)$/m
        .exec(Deno.readTextFileSync("/proc/thread-self/status"))[1]);
      const wakeUps = async (nearNs, tries) => {
        for (let left = tries; left > 0; left--) {
          // The host may change the distance: a meter that measures again would compare two distances
          using meter = new DistanceMeter(nearNs);
          // Until the other thread has started, no distance is known
          await new Promise((resolve) => setTimeout(resolve, 1000));
          const before = sleeps();
          meter.approach();
          if (sleeps() - before >= 100) return "many";
        }
        return "few";
      };
      console.log(await wakeUps(0, 20), await wakeUps(1e9, 3));`);
    strictEqual(new TextDecoder().decode(stdout), "many few\n");
  },
});

Deno.test("a program ends after its DistanceMeter, also while that waits for the next measurement", async () => {
  const { success, signal } = await run(`
    const meter = new DistanceMeter();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    meter[Symbol.dispose]();`);
  deepStrictEqual([success, signal], [true, null]);
});

Deno.test("DistanceMeter measures no way to its own processor, or to a thread that ended", () => {
  using meter = new DistanceMeter();
  strictEqual(meter.measure(Deno.pid), null);
  strictEqual(meter.measure(2 ** 30), null);
});
