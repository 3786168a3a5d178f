import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { Mismatch } from "../model/errors.ts";
import type { Latency } from "../model/raw.ts";
import type { describe } from "../stats/histogram.ts";
import { TIDY } from "./testdata/testing.ts";
import { type Clocked, watch, watchByClock } from "./testdata/watch.ts";

type WholeLatency = NonNullable<ReturnType<typeof describe>>;

/** Returns a server with this response time. */
const taking = (ms: number): Clocked => (clock) => () => {
  clock.advance(ms);
  return new Response();
};

/** Returns the latency that only `rank` requests exceed, in milliseconds. */
function slowest(latency: Latency | null, rank: number): number {
  const histogram = decodeFromCompressedBase64(latency?.histogram ?? "");
  return histogram.getValueAtPercentile(100 * (1 - rank / histogram.totalCount)) / 1000;
}

function isAbout(value: number, expected: number): boolean {
  return Math.abs(value - expected) <= 0.002 * expected; // histograms have three digits
}

Deno.test("Probe checks every response whole, on one connection, in real time", TIDY, async () => {
  const ports = new Set<number>();
  const text = "é".repeat(100_000);
  const seen: string[] = [];
  const record = await watch(async (request, { remoteAddr }) => {
    ports.add(remoteAddr.port);
    const headers = { "x-echo": `${request.headers.get("x-foo")} ${await request.text()}` };
    return new Response(text, { status: 201, headers });
  }, {
    warmupMs: 1000,
    windowMs: 1000,
    expect: (response) =>
      void seen.push(
        `${response.status} ${response.headers.get("x-echo")} ${response.text === text}`,
      ),
  });
  strictEqual(ports.size, 1);
  strictEqual(record.errors, 0, String(record.error));
  const { responses, due, absence, intervalMs, wrongResponses, durationS } = record;
  strictEqual(seen.length, responses);
  ok(due >= responses && due <= 1000 * durationS / intervalMs + 1, "never more often than planned");
  if (absence !== null) return ok(responses === 0); // a busy machine may be too slow
  deepStrictEqual([new Set(seen), wrongResponses], [new Set(["201 bar ping true"]), 0]);
  ok((record.sendLatenessP99Us ?? -1) >= 0);
});

Deno.test("Probe sends on time, at a pace that fits the responses", TIDY, async () => {
  for (const [takesMs, everyMs] of [[0, 16], [8, 16], [9, 18], [9.4, 19], [10, 20]] as const) {
    const record = await watchByClock(taking(takesMs));
    const { absence, intervalMs, durationS, due, responses, errors, latency } = record;
    deepStrictEqual([absence, intervalMs, errors], [null, everyMs, 0], `${takesMs} ms`);
    strictEqual(due, Math.floor(1000 * durationS / everyMs));
    deepStrictEqual([responses, latency?.count], [due, due]);
    const { maxUs } = latency as WholeLatency;
    ok(takesMs === 0 ? maxUs <= 1 : isAbout(maxUs, 1000 * takesMs), `${takesMs} ms: ${maxUs} us`);
  }
});

Deno.test("Probe finds the wrong among many right responses", TIDY, async () => {
  let count = 0;
  const wrong = (): Clocked => () => () => new Response(++count % 10 === 0 ? "wrong" : "right");
  const record = await watchByClock(wrong(), {
    windowMs: 1600,
    opens: () => count = 0,
    expect: ({ text }) => {
      if (text !== "right") throw new Mismatch("right", text);
    },
  });
  const { responses, errors, wrongResponses, wrongResponse } = record;
  deepStrictEqual([responses, wrongResponses, errors], [100, 10, 0]);
  strictEqual(wrongResponse, "expected right, got wrong");
});

Deno.test("Probe takes other statuses for errors, not for wrong responses", TIDY, async () => {
  let count = 0;
  const statuses = new Set<number>();
  const failing = (): Clocked => () => () =>
    new Response(null, { status: ++count % 10 === 0 ? 503 : 200 });
  const { responses, due, error, errors, wrongResponses, latency } = await watchByClock(failing(), {
    windowMs: 1600,
    opens: () => count = 0,
    expect: ({ status }) => void statuses.add(status),
  });
  deepStrictEqual([due, responses, errors, wrongResponses], [100, 90, 10, 0]);
  deepStrictEqual([[...statuses], error, latency?.count], [[200], "status 503", 90]);
});

Deno.test("Probe tells a stall by every request whose time came in it", TIDY, async () => {
  let stallMs = 0;
  const stalling = (): Clocked => (clock) => () => {
    const ms = stallMs;
    stallMs = 0;
    clock.advance(ms);
    return new Response();
  };
  const { latency, responses, due } = await watchByClock(stalling(), {
    windowMs: 1600,
    opens: () => stallMs = 400,
  });
  deepStrictEqual([responses, due], [100, 100]);
  // One connection was blocked. Measured from the real send time, only one response would be slow.
  ok(isAbout((latency as WholeLatency).maxUs, 400_000));
  for (const rank of [1, 10, 20]) {
    ok(isAbout(slowest(latency, rank), 400 - 16 * rank), `${rank}: ${slowest(latency, rank)} ms`);
  }
  ok(slowest(latency, 26) < 1, "after the stall nothing waits");
});

Deno.test("Probe counts what has no response at the end with its age", TIDY, async () => {
  const end = Promise.withResolvers<Response>();
  let hangs = false;
  const { responses, due, errors, latency } = await watchByClock(
    () => () => hangs ? end.promise : new Response(),
    {
      opens: () => hangs = true,
      hangs: () => hangs,
      windowMs: 1600,
      closed: () => end.resolve(new Response()),
    },
  );
  deepStrictEqual([responses, due, errors, latency?.count], [0, 100, 0, 100]);
  const { maxUs, p50Us } = latency as WholeLatency;
  ok(isAbout(maxUs, 1_584_000) && isAbout(p50Us, 784_000), `${maxUs}, ${p50Us}`);
});

Deno.test("Probe tells no latency where it would be its own queue", TIDY, async () => {
  const { absence, responses, latency } = await watchByClock(taking(11));
  deepStrictEqual([absence, responses, latency], [null, 30, null]);
});

Deno.test("Probe stands down where responses are slower than its schedule", TIDY, async () => {
  const slow = await watchByClock(taking(60));
  deepStrictEqual(slow.absence, { kind: "responses-too-slow", ms: 60 });
  deepStrictEqual([slow.responses, slow.due, slow.latency], [0, 0, null]);
  const end = Promise.withResolvers<Response>();
  const never = await watchByClock(() => () => end.promise, {
    hangs: () => true,
    closed: () => end.resolve(new Response()),
  });
  deepStrictEqual(never.absence, { kind: "responses-too-slow", ms: 380 });
  deepStrictEqual([never.responses, never.due, never.latency], [0, 0, null]);
});

Deno.test("Probe stands down where it had no time to find its pace", TIDY, async () => {
  const { absence, allResponses, due } = await watchByClock(taking(0), { warmupMs: 0 });
  deepStrictEqual(absence, { kind: "no-rehearsal" });
  deepStrictEqual([allResponses, due], [0, 0]);
});

Deno.test("Probe counts the responses of the warm-up among all responses", TIDY, async () => {
  const { allResponses, responses } = await watchByClock(taking(1), { windowMs: 1600 });
  deepStrictEqual([allResponses, responses], [120, 100]);
});

Deno.test("Probe takes a server that is not there for errors", TIDY, async () => {
  const { responses, due, error, errors, latency } = await watchByClock(null);
  deepStrictEqual([responses, due, errors, latency], [0, 37, 37, null]);
  ok(error);
});
