import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { count, gibibytes, printable, share } from "../model/text.ts";
import {
  duration,
  mebibytes,
  microseconds,
  milliseconds,
  multiple,
  rate,
  spread,
} from "./format.ts";

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
  strictEqual(microseconds(0), "0 µs");
  strictEqual(microseconds(NaN), "–");
  strictEqual(duration(45.4), "45 s");
  strictEqual(duration(200), "3 min 20 s");
  strictEqual(gibibytes(25_276_502_016), "24 GiB");
  strictEqual(gibibytes(1.5 * 2 ** 30), "1.5 GiB");
  strictEqual(mebibytes(166 * 2 ** 20), "166 MiB");
  strictEqual(mebibytes(0.4121 * 2 ** 20), "0.412 MiB");
  strictEqual(mebibytes(null), "–");
  deepStrictEqual([count(1, "round"), count(0, "round")], ["1 round", "0 rounds"]);
});

Deno.test("share never rounds what there is to nothing", () => {
  const shares = [0.969, 0.0132, 0.005, 0.000_138_6, -0.000_138_6, -0.034, 0, 1.01];
  deepStrictEqual(
    shares.map(share),
    ["97 %", "1.3 %", "0.5 %", "0.014 %", "-0.014 %", "-3.4 %", "0.0 %", "101 %"],
  );
});

Deno.test("printable replaces what would steer a terminal, and leaves all else", () => {
  strictEqual(printable("\x1b[2Ja\r\x9b1mb\x07\x7f\tc\r\nd"), "�[2Ja��1mb��\tc\nd");
  strictEqual(printable("a\u202Eb\u2066c"), "a\ufffdb\ufffdc");
  strictEqual(printable("≥ 7 µs – \u{1f9a6} <b>\nnext"), "≥ 7 µs – \u{1f9a6} <b>\nnext");
});

Deno.test("spread has one figure, or both sides where one of them is much longer", () => {
  const of = (low: number, high: number): string =>
    spread({ median: 100, confidenceInterval: { low, high, coverage: 0.95 } });
  strictEqual(of(90, 110), "10 %");
  strictEqual(of(57, 107), "-43 +7 %");
  strictEqual(of(95, 112), "-5 +12 %");
  strictEqual(of(99, 102), "1.5 %", "little is little on either side");
  strictEqual(spread({ median: 100, confidenceInterval: null }), "–");
  strictEqual(spread(null), "–");
});

Deno.test("multiple has three digits, and two below one", () => {
  strictEqual([0.987, 1, 8.004, 20.36, 862.9].map(multiple).join(), "0.99,1.00,8.00,20.4,863");
  strictEqual([0, 1e-9, 0.00287, 0.0581].map(multiple).join(), "0.00,0.000000,0.0029,0.058");
});
