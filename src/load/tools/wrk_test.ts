import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { wrk } from "./wrk.ts";

const CONNECTIONS = 10;
const DURATION_US = 10_000_000;

/** wrk's `stats_correct`, ported from its source. */
function corrected(measured: ReadonlyMap<number, number>, intervalUs: number): [number, number][] {
  const data = new Map(measured);
  const longest = Math.max(...measured.keys());
  for (let us = 2 * intervalUs; us <= longest; us++) {
    const count = data.get(us) ?? 0;
    for (let m = us - intervalUs; count > 0 && m > intervalUs; m -= intervalUs) {
      data.set(m, (data.get(m) ?? 0) + count);
    }
  }
  return [...data].sort(([a], [b]) => a - b);
}

function outputOf(requests: number, latencies: unknown): string {
  const counts = { connect: 0, read: 0, write: 0, status: 0, timeout: 0 };
  const output = { connections: CONNECTIONS, durationUs: DURATION_US, bytes: 1, ...counts };
  return `Running\nstampede:${JSON.stringify({ ...output, requests, latencies })}\n`;
}

Deno.test("what wrk adds to its histogram is taken out again", () => {
  // Most take 1 ms and some a whole second: wrk adds thousands of values in between.
  const measured = new Map<number, number>([[30, 7], [900, 4000], [1100, 5000], [2600, 3]]);
  for (let us = 900_000; us < 1_000_000; us += 1777) measured.set(us, 2);
  const requests = [...measured.values()].reduce((total, count) => total + count, 0);
  const intervalUs = Math.floor(DURATION_US / Math.floor(requests / CONNECTIONS));
  const latencies = corrected(measured, intervalUs);
  const added = latencies.reduce((total, [, count]) => total + count, 0) - requests;
  strictEqual(added > 1000, true);

  const output = { exitCode: 0, stderr: "", result: null };
  const { latency } = wrk.read({ ...output, stdout: outputOf(requests, latencies) });
  const { count, minUs, p50Us, p90Us } = latency ?? {};
  deepStrictEqual([count, minUs, p50Us, p90Us], [requests, 30, 1100, 1100]);

  // A version without this correction: the totals show it.
  const raw = wrk.read({ ...output, stdout: outputOf(requests, [...measured]) });
  deepStrictEqual(raw.latency?.count, requests);
  for (const garbage of [undefined, 1, [null], [[1]], [["a", 1]], [[1, 2, 3]]]) {
    throws(() => wrk.read({ ...output, stdout: outputOf(requests, garbage) }), SyntaxError);
  }
  const other = latencies.map(([us, count]) => [us, us === 900 ? count + 1 : count]);
  throws(() => wrk.read({ ...output, stdout: outputOf(requests, other) }), {
    name: "SyntaxError",
    message: /do not match its responses/,
  });
});

Deno.test("wrk's script escapes what Lua would take for its own", () => {
  const request = { method: "PUT", path: "/", headers: { 'x"': "é\n" }, body: "a\\]]" } as const;
  const rest = { alpn: null, connections: 8, threads: 2, timeoutS: 1 };
  const load = { url: "http://127.0.0.1:1/", request, ...rest };
  const { files } = wrk.invoke({ ...load, seconds: 1, requests: null });
  const script = files["report.lua"] ?? "";
  match(script, /^wrk\.method = "PUT"\nwrk\.headers\["x\\034"\] = "\\195\\169\\010"\n/);
  match(script, /^wrk\.body = "a\\092\]\]"$/m);
});
