import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Load, OpenLoad } from "../../model/experiment.ts";
import type { Measurement } from "../../model/raw.ts";
import { sharedNow } from "../../process/shared_clock.ts";
import { Metronome } from "../metronome.ts";
import {
  LOAD,
  serve,
  serveTexts,
  sleep,
  type TestHandler,
  type TestServer,
  TIDY,
} from "../testdata/testing.ts";
import { ONE_BY_ONE } from "./load_client.ts";
import type { Arrival } from "./open_loop.ts";
import { ArrivalRecorder, driveOpen } from "./window_process.ts";

const REQUEST = { method: "GET", path: "/", headers: {}, body: null } as const;
/** Connections for all requests that are due while a busy machine stalls for half a second. */
const ENOUGH = 200;
const RATE: OpenLoad = { perS: 400, arrivals: "poisson", seed: 3 };

async function drive(
  handler: TestHandler,
  open: OpenLoad,
  change: Partial<Load> = {},
): Promise<{ result: Measurement; lines: string[] }> {
  await using server = serve(handler);
  return await driveServer(server, open, change);
}

async function driveServer(
  server: TestServer,
  open: OpenLoad,
  change: Partial<Load> = {},
): Promise<{ result: Measurement; lines: string[] }> {
  using metronome = new Metronome();
  const load = { ...LOAD, durationS: 1, ...change, open };
  const lines: string[] = [];
  const job = {
    origin: `http://127.0.0.1:${server.port}`,
    request: REQUEST,
    ...ONE_BY_ONE,
    expected: { same: "right" },
    load,
    opensAtMs: sharedNow() + 1000 * load.warmupS,
  };
  const result = await driveOpen(job, open, metronome, (line) => lines.push(line));
  return { result, lines };
}

/** Checks that every request that was due has an outcome. */
function assertWhole({ open }: Measurement): void {
  const { offered = NaN, failed = 0, unanswered = 0, shed = 0, serviceTime } = open ?? {};
  strictEqual((serviceTime?.count ?? 0) + failed + unanswered + shed, offered);
}

Deno.test(
  "a window of an open loop is offered its rate, and all of it is answered",
  TIDY,
  async () => {
    for (const arrivals of ["poisson", "even"] as const) {
      const { result, lines } = await drive(
        () => new Response("right"),
        { ...RATE, arrivals },
        { connections: ENOUGH },
      );
      deepStrictEqual(lines, ["window opened", "window closed"]);
      const { offered = 0, sent, failed, unanswered, shed } = result.open ?? {};
      assertWhole(result);
      deepStrictEqual([sent, failed, unanswered, shed], [offered, 0, 0, 0]);
      const expected = 400 * result.durationS;
      ok(Math.abs(offered - expected) < (arrivals === "even" ? 3 : 5 * Math.sqrt(expected)));
      ok(result.checkedBodies > 0 && result.wrongResponses === 0);
    }
  },
);

Deno.test("a server that stalls is seen to, by all who come meanwhile", TIDY, async () => {
  const startedMs = performance.now();
  const stall = { fromMs: startedMs + 500, toMs: startedMs + 1000 };
  const { result } = await drive(
    async () => {
      const nowMs = performance.now();
      if (nowMs > stall.fromMs && nowMs < stall.toMs) await sleep(stall.toMs - nowMs);
      return new Response("right");
    },
    RATE,
    { durationS: 2, connections: 10 },
  );
  assertWhole(result);
  const { responseTime, serviceTime } = result.open ?? {};
  // A quarter of the window's requests are due in the stall, and four fifths of these wait longer than
  // 100 ms
  ok((responseTime?.p90Us ?? 0) > 150_000, `${responseTime?.p90Us}`);
  ok((responseTime?.p50Us ?? 0) < 150_000, `${responseTime?.p50Us}`);
  // Only ten requests wait for the server itself. The service times do not include the wait for a
  // connection
  ok((serviceTime?.p90Us ?? Infinity) < 150_000, `${serviceTime?.p90Us}`);
});

Deno.test(
  "what cannot be sent is shed, and what is not answered counts as old as it is",
  TIDY,
  async () => {
    const end = Promise.withResolvers<void>();
    const { result } = await drive(
      async () => {
        await Promise.race([end.promise, sleep(3000)]);
        return new Response("right");
      },
      RATE,
      { connections: 2, warmupS: 0, timeoutS: 1 },
    );
    end.resolve();
    assertWhole(result);
    const { offered = 0, sent = 0, shed = 0, responseTime } = result.open ?? {};
    ok(shed > 0.9 * offered && sent < 0.1 * offered, `${sent} and ${shed} of ${offered}`);
    ok((responseTime?.p50Us ?? 0) > 200_000, `${responseTime?.p50Us}`);
  },
);

Deno.test("an open loop notices responses that no request asked for", async () => {
  const text = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright";
  for (const texts of [[text + text], [text, text]]) {
    await using server = serveTexts((request) => request <= 100 ? [text] : texts);
    const { result } = await driveServer(server, RATE);
    ok(result.wrongResponses > 0);
    strictEqual(result.wrongResponse, "bytes after a response that belong to no request");
  }
});

function arrival(dueMs: number, noticedMs: number, sentMs: number | null): Arrival {
  return { dueMs, noticedMs, sentMs };
}

Deno.test("ArrivalRecorder counts what is due while its window is open, whenever it ends", () => {
  const recorder = new ArrivalRecorder();
  recorder.ended(arrival(900, 900, 900), 950, "answered"); // before the window opens
  recorder.fromMs = 1000;
  recorder.ended(arrival(999, 1000, 1000), 1100, "answered"); // due in the warm-up
  recorder.ended(arrival(1000, 1001, 1003), 1010, "answered");
  recorder.ended(arrival(1100, 1100, null), 1150, "failed"); // no connection could be opened
  recorder.toMs = 2000;
  recorder.ended(arrival(1999, 1999, 1999), 2500, "answered");
  recorder.ended(arrival(2000, 2000, 2000), 2001, "answered"); // due after the window
  recorder.left([arrival(1500, 1500, null), arrival(2100, 2100, null)], 2000);
  recorder.left([arrival(1990, 1990, 1995)], 3000);
  const { responseTime, lateness, wait, serviceTime, ...counts } = recorder.result(3000);
  deepStrictEqual(counts, { offered: 5, sent: 3, failed: 1, unanswered: 1, shed: 1, recoveryS: 1 });
  deepStrictEqual([responseTime?.count, lateness?.count, wait?.count, serviceTime?.count], [
    5,
    5,
    5,
    2,
  ]);
  // 10, 50, 501, 500 and 1010 ms, to three digits
  deepStrictEqual([responseTime?.minUs, Math.round((responseTime?.maxUs ?? 0) / 10_000)], [
    10_000,
    101,
  ]);
  strictEqual(Math.round((lateness?.maxUs ?? 0) / 10), 100);
  strictEqual(Math.round((wait?.maxUs ?? 0) / 1000), 500);
});
