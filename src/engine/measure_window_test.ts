import { ok } from "node:assert/strict";
import { referenceUs } from "./measure_window.ts";

Deno.test("the reference takes time, and about the same when it is taken again", () => {
  const [first, second] = [referenceUs(), referenceUs()];
  ok(first > 10 && first < 1e6, String(first));
  ok(second / first < 20 && first / second < 20, `${first}, ${second}`);
});
