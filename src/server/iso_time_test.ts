import { strictEqual } from "node:assert/strict";
import { isoTime } from "./iso_time.ts";

const DAY_MS = 86_400_000;
const END = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The Gregorian calendar repeats after 400 years. */
const CYCLE_MS = Date.UTC(2370);

Deno.test("isoTime says of each day of 400 years, and of each 11th day until 9999, what Date says", () => {
  for (let day = 0; day <= END; day += day < CYCLE_MS ? DAY_MS : 11 * DAY_MS) {
    const ms = day + Math.floor(Math.random() * DAY_MS);
    strictEqual(isoTime(ms), new Date(ms).toISOString());
  }
});

Deno.test("isoTime says of every second of a day what Date says", () => {
  const start = Date.UTC(2028, 1, 29);
  for (let ms = start; ms < start + DAY_MS; ms += 997) {
    strictEqual(isoTime(ms), new Date(ms).toISOString());
  }
  for (const ms of [0, 1, DAY_MS - 1, DAY_MS, END]) {
    strictEqual(isoTime(ms), new Date(ms).toISOString());
  }
});
