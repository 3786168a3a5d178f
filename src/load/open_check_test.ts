import { ok, strictEqual } from "node:assert/strict";
import { ProcessScope } from "../process/scope.ts";
import { checkOpenLoop } from "./open_check.ts";
import { stampede } from "./built_in_generators.ts";
import type { Timeouts } from "./timeouts.ts";
import { RunningGenerator } from "./running.ts";

const SHORT_TIMEOUTS: Timeouts = { freshWarmupS: 0, limitS: null };
const never = new AbortController().signal;

Deno.test("the open loop is checked at a server whose response times theory knows", async () => {
  await using scope = new ProcessScope();
  await using generator = new RunningGenerator(scope, stampede, null, SHORT_TIMEOUTS);
  const open = { perS: 400, arrivals: "poisson", seed: 5 } as const;
  const check = await checkOpenLoop({ scope, generator, cpus: null }, open, 20, never);
  strictEqual(check.perS, 400);
  // The check asks for half of its capacity: 1.25 ms per request. Other tests may use the processors
  // too
  ok(check.serviceUs >= 1250 && check.serviceUs < 10 * 1250, String(check.serviceUs));
  ok(check.aloneUs >= 1250, String(check.aloneUs));
  ok(Math.abs(check.offered - 800) < 6 * Math.sqrt(800), String(check.offered));
  const { expected, found } = check;
  for (const { p50Us, p99Us } of [expected, found]) {
    ok(p50Us !== null && p99Us !== null && p50Us >= 1250 && p99Us > p50Us);
  }
  ok((expected.p50Us ?? 0) >= check.aloneUs);
});
