import type { WholeLatency } from "../stats/histogram.ts";
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { Mismatch } from "../model/errors.ts";
import type { Latency } from "../model/raw.ts";
import { TIDY } from "./testdata/testing.ts";
import { after, watch } from "./testdata/watch.ts";

/** How long the one took that only `rank` others were slower than, in milliseconds. */
function slowest(latency: Latency | null, rank: number): number {
  const histogram = decodeFromCompressedBase64(latency?.histogram ?? "");
  return histogram.getValueAtPercentile(100 * (1 - rank / histogram.totalCount)) / 1000;
}

Deno.test("Witness checks every answer whole, on one connection, on time", TIDY, async () => {
  const ports = new Set<number>();
  const text = "é".repeat(100_000);
  const seen: string[] = [];
  const record = await watch(async (request, { remoteAddr }) => {
    ports.add(remoteAddr.port);
    const headers = { "x-echo": `${request.headers.get("x-foo")} ${await request.text()}` };
    return new Response(text, { status: 201, headers });
  }, {
    expect: (answer) =>
      void seen.push(`${answer.status} ${answer.headers.get("x-echo")} ${answer.text === text}`),
  });
  const { answers, due, errors, absence, intervalMs, wrongAnswers, wrongAnswer } = record;
  strictEqual(ports.size, 1);
  deepStrictEqual(new Set(seen), new Set(["201 bar ping true"]));
  strictEqual(seen.length, answers);
  deepStrictEqual([errors, record.error, absence], [0, null, null]);
  deepStrictEqual([wrongAnswers, wrongAnswer], [0, null]);
  const planned = 1000 * record.durationS / intervalMs;
  ok(due > planned / 2 && due < planned + 2 && due - answers <= 1, `${due} of ${planned}`);
  ok(record.latency?.count === due && record.sendLagP99Us !== null);
});

Deno.test("Witness finds the wrong among many right answers", TIDY, async () => {
  let count = 0;
  const handler = (): Response => new Response(++count % 10 === 0 ? "wrong" : "right");
  const { answers, errors, wrongAnswers, wrongAnswer } = await watch(handler, {
    expect: ({ text }) => {
      if (text !== "right") throw new Mismatch("right", text);
    },
  });
  ok(wrongAnswers > 0 && wrongAnswers < answers / 5);
  deepStrictEqual([errors, wrongAnswer], [0, "expected right, got wrong"]);
});

Deno.test("Witness takes other statuses for errors, not for wrong answers", TIDY, async () => {
  let count = 0;
  const statuses = new Set<number>();
  const { answers, due, error, errors, wrongAnswers, latency } = await watch(
    () => new Response(null, { status: ++count % 10 === 0 ? 503 : 200 }),
    { expect: ({ status }) => void statuses.add(status) },
  );
  ok(errors > 0 && errors < answers / 5);
  deepStrictEqual([[...statuses], wrongAnswers, error], [[200], 0, "status 503"]);
  ok(due - answers - errors <= 1 && latency?.count === due - errors);
});

Deno.test("Witness tells a stall by every request whose time came in it", TIDY, async () => {
  let stallMs = 0;
  const stalling = (): Promise<Response> => {
    const ms = stallMs;
    stallMs = 0;
    return after(ms);
  };
  const { latency, answers, due } = await watch(stalling, {
    windowMs: 1000,
    opens: () => stallMs = 400,
  });
  ok((latency?.maxUs ?? 0) >= 395_000);
  // One connection was blocked; measured from the sending, one answer alone would be slow.
  ok(slowest(latency, 3) > 250 && slowest(latency, 10) > 100, `10th: ${slowest(latency, 10)} ms`);
  ok((latency?.p50Us ?? NaN) < 300_000 && due - answers <= 1);
});

Deno.test("Witness counts what has no answer at the end with its age", TIDY, async () => {
  const end = Promise.withResolvers<void>();
  let hangs = false;
  const hanging = (): Promise<Response> => hangs ? end.promise.then(() => after(0)) : after(0);
  const opens = (): void => void (hangs = true);
  const { answers, due, durationS, errors, latency } = await watch(hanging, {
    opens,
    closed: end.resolve,
  });
  ok(answers <= 1 && errors === 0 && due > 10);
  strictEqual(latency?.count, due);
  const { maxUs, p50Us } = latency as WholeLatency;
  ok(maxUs > 700_000 * durationS && maxUs < 1_010_000 * durationS);
  ok(p50Us > 200_000 * durationS && p50Us < 800_000 * durationS);
});

Deno.test("Witness goes at a pace that fits the answers", TIDY, async () => {
  const { absence, intervalMs } = await watch(() => after(7));
  ok(absence === null && intervalMs >= 14 && intervalMs <= 20, `every ${intervalMs} ms`);
});

Deno.test("Witness tells no latency where it would be its own queue", TIDY, async () => {
  const { absence, answers, latency } = await watch(() => after(11));
  ok(absence === null && answers > 0);
  strictEqual(latency, null);
});

Deno.test("Witness stands down where answers are slower than its schedule", TIDY, async () => {
  for (const answer of [() => after(60), (never: Promise<Response>) => never]) {
    const end = Promise.withResolvers<Response>();
    const closed = (): void => end.resolve(new Response());
    const record = await watch(() => answer(end.promise), { closed });
    match(record.absence ?? "", /^an answer takes \d+ ms, longer than its schedule$/);
    deepStrictEqual([record.answers, record.due, record.latency], [0, 0, null]);
  }
});

Deno.test("Witness stands down where it had no time to find its pace", TIDY, async () => {
  const { absence, allAnswers, due } = await watch(() => after(0), { warmupMs: 0 });
  match(absence ?? "", /no warm-up/);
  deepStrictEqual([allAnswers, due], [0, 0]);
});

Deno.test("Witness counts the answers of the warm-up among all answers", TIDY, async () => {
  let [count, before] = [0, 0];
  const opens = (): void => void (before = count);
  const { allAnswers, answers } = await watch(() => after(count++ % 2), { opens });
  // One request may be under way when the window opens, and one when it closes.
  ok(before > 5 && Math.abs(allAnswers - count) <= 2, `${allAnswers} of ${count}`);
  ok(Math.abs(allAnswers - answers - before) <= 2);
});

Deno.test("Witness takes a server that is not there for errors", TIDY, async () => {
  const { answers, due, error, errors, latency } = await watch(null);
  ok(errors > 0 && due - errors <= 1 && error);
  deepStrictEqual([answers, latency], [0, null]);
});
