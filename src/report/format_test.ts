import { strictEqual } from "node:assert/strict";
import { duration, gibibytes, microseconds, milliseconds, rate } from "./format.ts";

Deno.test("format rounds to what a reader can use", () => {
  strictEqual(rate(77_641.3), "77,640");
  strictEqual(rate(496.14), "496.1");
  strictEqual(rate(499), "499.0");
  strictEqual(rate(0.5), "0.5");
  strictEqual(milliseconds(26.5), "0.027 ms");
  strictEqual(milliseconds(119), "0.119 ms");
  strictEqual(milliseconds(8100), "8.10 ms");
  strictEqual(milliseconds(2_010_400), "2,010 ms");
  strictEqual(milliseconds(null), "–");
  strictEqual(microseconds(7.5), "7.50 µs");
  strictEqual(microseconds(1021.7), "1,020 µs");
  strictEqual(duration(45.4), "45 s");
  strictEqual(duration(200), "3 min 20 s");
  strictEqual(gibibytes(25_276_502_016), "24 GiB");
});
