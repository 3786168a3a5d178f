import { ok } from "node:assert/strict";
import { SCENARIOS } from "../scenarios/mod.ts";
import { HostileClients } from "../src/engine/faults/hostile_clients.ts";
import { Monitor, wellAgain } from "../src/engine/faults/run_faults.ts";
import { now } from "../src/load/metronome.ts";
import type { Scenario } from "../src/model/scenario.ts";
import { ProcessScope } from "../src/process/scope.ts";
import { until } from "./bench.ts";
import { withServer } from "./stage.ts";

const TIMES = 10;
const FLOOD_S = 2;
/** Number of open connections. */
const MOST = 500;
/**
 * Minimum share of other requests that must be answered within a second, as other programs use this machine
 * too.
 */
const SHARE = 0.9;
const never = new AbortController().signal;

function scenario(id: string): Scenario {
  const found = SCENARIOS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no ${id}`);
  return found;
}

Deno.test("ten times the primes that it can compute keep nobody from /, and then all is well", async () => {
  await withServer(async ({ server: { origin }, client }) => {
    await using scope = new ProcessScope();
    await using hostileClients = new HostileClients(scope);
    const { request } = scenario("primes");
    const demand = { origin, request, most: MOST };
    const facts = { helloHtml: "", rows: client.query };
    const capacity = await hostileClients.run({ kind: "closed-loop", ...demand }, never);
    using monitor = new Monitor(origin, scenario("text"), { facts, connections: 20 });
    await until(() => monitor.between(0, Infinity).length >= 50, "a second of calm is over");
    const calm = monitor.between(0, Infinity);

    const fromMs = now();
    const flood = { perS: TIMES * capacity, durationS: FLOOD_S, leaves: false };
    const sent = await hostileClients.run({ kind: "flood", ...demand, ...flood }, never);
    const overMs = now();
    ok(sent > capacity * FLOOD_S, `${sent} sent, ${capacity} a second can be computed`);

    let wellMs: number | null = null;
    await until(
      () => (wellMs = wellAgain(monitor.between(overMs, Infinity), calm)) !== null,
      "all is well",
    );
    ok((wellMs ?? Infinity) - overMs <= 1000, `well after ${(wellMs ?? 0) - overMs} ms`);
    const replies = monitor.between(fromMs, overMs);
    const right = replies.filter(({ got }) => got === null);
    ok(right.length >= SHARE * replies.length, `${right.length} of ${replies.length} right`);
    await until(
      async () => await fetch(`${origin}${request.path}`).then(({ ok }) => ok),
      "primes are computed again",
    );
  });
});
