import { strictEqual } from "node:assert/strict";
import { isoTime } from "./iso_time.ts";

const DAY_MS = 86_400_000;
const END = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

Deno.test("isoTime says of every day, at some moment of it, what Date says", () => {
  for (let day = 0; day <= END; day += DAY_MS) {
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
