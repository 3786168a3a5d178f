import { rejects } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Household } from "../process/household.ts";
import type { LoadGenerator, LoadJob } from "./generator.ts";
import { autocannon } from "./autocannon.ts";
import { RunningGenerator } from "./running.ts";

const BAD = fileURLToPath(new URL("./testdata/bad_generator.ts", import.meta.url));
const LOAD = { connections: 1, shards: 1, warmupS: 0, durationS: 0, answers: null };
const never = new AbortController().signal;

function bad(how: string): LoadGenerator {
  return { ...autocannon, command: () => [Deno.execPath(), "run", "--quiet", "-A", BAD, how] };
}

/** A job that is overdue ten seconds after this time. */
function job(timeoutS = 20): LoadJob {
  return { load: { ...LOAD, timeoutS } } as LoadJob;
}

Deno.test("RunningGenerator reports a generator that ends, hangs or prints garbage", async () => {
  await using household = new Household();
  const cases = [
    ["garbage", /answered what cannot be read .*Segmentation fault\?/, job()],
    ["end", /ended with exit code 3:\nout of luck/, job()],
    ["hang", /hung: no answer within 1 s/, job(-9)],
  ] as const;
  for (const [how, message, task] of cases) {
    await using generator = new RunningGenerator(household, bad(how));
    await rejects(generator.measure(task, never), { name: "Failure", message });
    // It is started anew, and fails anew.
    await rejects(generator.measure(task, never), { name: "Failure", message });
  }
});

Deno.test("RunningGenerator ends a window when it is told to, also before it has begun", async () => {
  await using household = new Household();
  await using generator = new RunningGenerator(household, bad("hang"));
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("enough")), 200);
  await rejects(generator.measure(job(), controller.signal), /enough/);
  await rejects(generator.measure(job(), AbortSignal.abort(new Error("too late"))), /too late/);
});
