import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { text } from "../../../scenarios/text.ts";
import { until } from "../../../tests/bench.ts";
import { Monitor, wellAgain } from "./run_faults.ts";

type Reply = ReturnType<Monitor["between"]>[number];

const FACTS = { helloHtml: "", rows: () => Promise.resolve([]) };

function right(dueMs: number, tookMs = 5): Reply {
  return { dueMs, noticedMs: 0, tookMs, got: null };
}

/** Makes a right response every 20 ms. */
function series(fromMs: number, count: number, tookMs?: number): Reply[] {
  return Array.from({ length: count }, (_, i) => right(fromMs + 20 * i, tookMs));
}

const CALM = series(0, 10, 5);

Deno.test("all is well again from the first of ten right and quick responses in a row", () => {
  strictEqual(wellAgain(series(1000, 10), CALM), 1000);
  strictEqual(wellAgain(series(1000, 9), CALM), null);
  const failed: Reply = { ...right(1100), got: "503" };
  const mixed = [...series(1000, 5), failed, ...series(1120, 10)];
  strictEqual(wellAgain(mixed, CALM), 1120);
});

Deno.test("responses that are slow, or missing, break the row", () => {
  const slow = [...series(1000, 9), right(1180, 61), ...series(1200, 10)];
  strictEqual(wellAgain(slow, CALM), 1200);
  strictEqual(wellAgain(slow, series(0, 10, 6)), 1000, "twice 6 ms and 50 are enough");
  const gap = [...series(1000, 9), ...series(1200, 10)];
  strictEqual(wellAgain(gap, CALM), 1200);
});

Deno.test("a steady client tells right, wrong, refused and missing responses apart", async () => {
  let status = 200;
  let body = "Hello world";
  let silent = false;
  const ended = Promise.withResolvers<void>();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    if (silent) return ended.promise.then(() => new Response("at last"));
    return new Response(body, { status, headers: { "content-type": "text/plain;charset=UTF-8" } });
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const got = async (): Promise<(string | null)[]> => {
    using monitor = new Monitor(origin, text, { facts: FACTS, connections: 4 });
    // A busy machine delays some of them
    const inTime = (): Reply[] =>
      monitor.between(-Infinity, Infinity).filter(({ tookMs }) =>
        tookMs !== null && tookMs <= 1000
      );
    if (silent) await new Promise((resolve) => setTimeout(resolve, 500));
    else await until(() => inTime().length > 5, "there are replies");
    const answered = inTime();
    monitor.stop();
    const replies = silent ? monitor.between(-Infinity, Infinity) : answered;
    ok(replies.length > 2);
    return [...new Set(replies.map(({ got }) => got))];
  };
  deepStrictEqual(await got(), [null]);
  body = "Hello";
  deepStrictEqual(await got(), ["wrong"]);
  status = 503;
  deepStrictEqual(await got(), ["503"]);
  silent = true;
  deepStrictEqual(await got(), ["nothing"]);
  ended.resolve();
});
