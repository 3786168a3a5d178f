/** Warm-ups end by the rate, so these tests need an otherwise idle machine. */
import { fail } from "node:assert/strict";
import type { Measurement } from "../model/raw.ts";
import { BUILT_IN_GENERATORS, findGenerator, GENERATORS } from "./generator_list.ts";
import { drive, driveAll, sliced } from "./testdata/driving.ts";
import { each, serve, sleep, type TestHandler } from "./testdata/testing.ts";

const [autocannon] = BUILT_IN_GENERATORS;

/** Number of attempts: another program can keep the rate level, or make it climb. */
const TRIES = 4;

/** Passes if an attempt returns null; otherwise fails with the results of all attempts. */
async function anyOf(attempt: () => Promise<unknown>): Promise<void> {
  const found: unknown[] = [];
  while (found.length < TRIES) {
    const problem = await attempt();
    if (problem === null) return;
    found.push(problem);
  }
  fail(JSON.stringify(found));
}

/**
 * Answers like a server that is being compiled: each of the first few hundred responses is faster than
 * the last.
 */
function compiling(delayMs: (count: number) => number): TestHandler {
  let count = 0;
  return async () => {
    await sleep(delayMs(count++));
    return new Response("right");
  };
}

/** Doubles its rate each time this many milliseconds have passed. */
function accelerating(everyMs: number): TestHandler {
  let firstMs: number | null = null;
  return async () => {
    const ms = performance.now() - (firstMs ??= performance.now());
    await sleep(everyMs * 0.5 ** (ms / everyMs));
    return new Response("right");
  };
}

each("opens its window when the rate no longer climbs", (generator) =>
  anyOf(async () => {
    await using server = serve(compiling((count) => Math.max(0, 20 - count / 20)));
    const load = { warmupS: 0.2, mostWarmupS: 20, durationS: 0.5 };
    const [driven] = await drive(generator, server.port, load);
    const { warmup, latency } = driven?.result ?? {} as Partial<Measurement>;
    const isPast = (warmup?.tookS ?? 0) > 0.4 && (latency?.p50Us ?? Infinity) < 15_000;
    return isPast && warmup?.isSteady ? null : [warmup, latency?.p50Us];
  }));

each(
  "opens its window in the end, however the rate climbs, and says so",
  (generator) =>
    anyOf(async () => {
      await using server = serve(accelerating(60));
      const load = { warmupS: 0.1, mostWarmupS: 0.3, durationS: 0.3 };
      const [driven] = await drive(generator, server.port, load);
      const { warmup } = driven?.result ?? {} as Partial<Measurement>;
      return (warmup?.tookS ?? Infinity) < 5 && warmup?.isSteady === false ? null : warmup;
    }),
);

const wrk = GENERATORS.find(({ id }) => id === "wrk") ?? autocannon;
const wrkIsHere = "version" in await findGenerator("wrk");

for (
  const { name, generator, shards, ignore } of [
    { name: "two shards", generator: autocannon, shards: 2, ignore: false },
    { name: "wrk", generator: wrk, shards: 1, ignore: !wrkIsHere },
  ]
) {
  Deno.test({
    name: `${name}: short windows come first, until none is faster than the last`,
    ignore,
    fn: () =>
      anyOf(async () => {
        await using server = serve(compiling((count) => Math.max(1, 20 - count / 20)));
        const load = { shards, warmupS: 0.2, mostWarmupS: 20, durationS: 0.5 };
        const { warmup, latency, allResponses } = await driveAll(generator, server.port, load);
        const isPast = (warmup?.requests ?? 0) > 400 && (latency?.p50Us ?? Infinity) < 15_000;
        const counts = allResponses >= (warmup?.requests ?? 0) + (latency?.count ?? Infinity);
        return isPast && counts && warmup?.isSteady ? null : [warmup, latency?.p50Us, allResponses];
      }),
  });

  Deno.test({
    name: `${name}: short windows come first for a limited time, and their end is recorded`,
    ignore,
    fn: () =>
      anyOf(async () => {
        await using server = serve(accelerating(generator === autocannon ? 400 : 1000));
        const load = { shards, warmupS: 0.1, mostWarmupS: 0.3, durationS: 0.3 };
        const { warmup } = await driveAll(generator, server.port, load);
        return (warmup?.tookS ?? Infinity) < 5 && warmup?.isSteady === false ? null : warmup;
      }),
  });
}

const right: TestHandler = () => new Response("right");

Deno.test("slices warm up until no server becomes faster, and record the time", () =>
  anyOf(async () => {
    const warming = compiling((count) => Math.max(1, 20 * 0.97 ** count));
    const job = { warmupS: 0.05, mostWarmupS: 20, connections: 2, sliceResponses: 4 };
    const { variants: [first], warmup } = await sliced([warming, right], job);
    const isPast = Math.max(...first?.p50Us ?? [Infinity]) < 15_000;
    return isPast && (warmup?.tookS ?? 0) > 0.15 && warmup?.isSteady ? null : warmup;
  }));

Deno.test("a server that is warm waits while another one becomes faster", () =>
  anyOf(async () => {
    let [between, most] = [0, 0];
    const warm: TestHandler = () => {
      [between, most] = [0, Math.max(between, most)];
      return new Response("right");
    };
    const compile = compiling((count) => Math.max(1, 20 * 0.97 ** count));
    const warming: TestHandler = (request, info) => {
      between++;
      return compile(request, info);
    };
    const job = { warmupS: 0.05, mostWarmupS: 20, connections: 2, sliceMs: 1, sliceResponses: 4 };
    await sliced([warming, warm], job);
    // Two slices of four responses each follow one another in a pair of passes
    return most > 5 * 8 ? null : most;
  }));

Deno.test("slices of a server that becomes faster all the time have a bound on their warm-up", () =>
  anyOf(async () => {
    const job = { warmupS: 0.05, mostWarmupS: 0.2, connections: 1, sliceResponses: 2 };
    const { warmup } = await sliced([accelerating(80), right], job);
    return warmup?.isSteady === false && warmup.tookS < 2 ? null : warmup;
  }));
