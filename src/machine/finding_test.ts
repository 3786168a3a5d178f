import { strictEqual } from "node:assert/strict";
import { count, gibibytes, percent } from "./finding.ts";

Deno.test("figures are worded", () => {
  strictEqual(percent(0.000149), "0.015 %");
  strictEqual(percent(0.256), "26 %");
  strictEqual(percent(1), "100 %");
  strictEqual(percent(0), "0 %");
  strictEqual(count(1, "core"), "1 core");
  strictEqual(count(1.5, "core"), "1.5 cores");
  strictEqual(gibibytes(1.5 * 2 ** 30), "1.5 GiB");
});
