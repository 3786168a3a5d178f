import { rejects } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Household } from "../process/household.ts";
import type { LoadGenerator, LoadJob } from "./generator.ts";
import { autocannon } from "./autocannon.ts";
import { RunningGenerator } from "./running.ts";

const BAD = fileURLToPath(new URL("./testdata/bad_generator.ts", import.meta.url));
const load = { connections: 1, warmupS: 0, durationS: 0, answers: null, timeoutS: -9 };
const JOB = { load } as unknown as LoadJob; // overdue after a second
const never = new AbortController().signal;

function bad(how: string): LoadGenerator {
  return { ...autocannon, command: () => [Deno.execPath(), "run", "--quiet", "-A", BAD, how] };
}

Deno.test("RunningGenerator reports a generator that ends, hangs or prints garbage", async () => {
  await using household = new Household();
  const cases = [
    ["garbage", /answered what cannot be read .*Segmentation fault\?/],
    ["end", /ended with exit code 3:\nout of luck/],
    ["hang", /hung: no answer within 1 s/],
  ] as const;
  for (const [how, message] of cases) {
    await using generator = new RunningGenerator(household, bad(how));
    await rejects(generator.measure(JOB, never), { name: "Failure", message });
    // It is started anew, and fails anew.
    await rejects(generator.measure(JOB, never), { name: "Failure", message });
  }
});

Deno.test("RunningGenerator ends a window when it is told to", async () => {
  await using household = new Household();
  await using generator = new RunningGenerator(household, bad("hang"));
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("enough")), 200);
  await rejects(generator.measure(JOB, controller.signal), /enough/);
});
