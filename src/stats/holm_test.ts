import { deepStrictEqual, ok, throws } from "node:assert/strict";
import { holm } from "./holm.ts";
import { isClose } from "./stats_testdata.ts";

Deno.test("holm agrees with statsmodels", () => {
  // statsmodels 0.15.0: multipletests([...], method="holm")[1]
  const adjusted = holm([0.01, 0.04, 0.03, 0.005, 0.5, 0.03, 0.9]);
  const expected = [0.06, 0.15, 0.15, 0.035, 1, 0.15, 1];
  ok(adjusted.every((p, i) => isClose(p, expected[i] ?? NaN)), adjusted.join());
  deepStrictEqual(holm([0.01, 0.7, 0.6]), [0.03, 1, 1]);
});

Deno.test("holm leaves one value alone, multiplies equal ones by their number and refuses others", () => {
  deepStrictEqual(holm([]), []);
  deepStrictEqual(holm([0.03]), [0.03]);
  deepStrictEqual(holm([0.0625, 0.0625]), [0.125, 0.125]);
  for (const wrong of [-0.1, 1.1, NaN]) throws(() => holm([0.5, wrong]), RangeError);
});
