import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ArrivalRecorder } from "./arrival_recorder.ts";
import type { Arrival } from "./driver/open_loop.ts";

function arrival(dueMs: number, noticedMs: number, sentMs: number | null): Arrival {
  return { dueMs, noticedMs, sentMs };
}

Deno.test("ArrivalRecorder counts what is due while its window is open, whenever it ends", () => {
  const recorder = new ArrivalRecorder();
  recorder.ended(arrival(900, 900, 900), 950, "answered"); // before the window opens
  recorder.open(1000);
  recorder.ended(arrival(999, 1000, 1000), 1100, "answered"); // due in the warm-up
  recorder.ended(arrival(1000, 1001, 1003), 1010, "answered");
  recorder.ended(arrival(1100, 1100, null), 1150, "failed"); // no connection could be opened
  recorder.close(2000);
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
