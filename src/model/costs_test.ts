import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { comparisonsOf, costKeys, costsOf, parseThresholds } from "./costs.ts";

Deno.test("thresholds are a percentage, or one for each group of costs", () => {
  deepStrictEqual(parseThresholds("5%"), { speed: 0.05, costs: {} });
  deepStrictEqual(parseThresholds("2.5"), { speed: 0.025, costs: {} });
  const all = { speed: 0.05, costs: { startup: 0.2, memory: 0.1 } };
  deepStrictEqual(parseThresholds("5 %, memory=10%, startup=20"), all);
  deepStrictEqual(parseThresholds("idle=100%"), { speed: null, costs: { idle: 1 } });
  const tails = { speed: null, costs: { peak: 0.1, p99: 0.2, "p99.9": 0.5 } };
  deepStrictEqual(parseThresholds("peak=10%,p99=20%,p99.9=50%"), tails);
});

Deno.test("other texts are no thresholds", () => {
  for (const text of ["", "x", "-5%", "101%", "memory", "memory=", "rss=5%", "5%,6%", "5%,"]) {
    strictEqual(parseThresholds(text), null, text);
  }
  strictEqual(parseThresholds("memory=1%,memory=2%"), null);
});

Deno.test("costs have groups", () => {
  deepStrictEqual(costsOf(["startup"]), ["startUpUs", "startUpCpuUs"]);
  deepStrictEqual(costsOf([]), []);
});

Deno.test("groups with a load have costs at each scenario", () => {
  deepStrictEqual(costKeys(["memory", "p99"], ["text", "json"]), [
    { group: "memory", scenario: null },
    { group: "p99", scenario: "text" },
    { group: "p99", scenario: "json" },
  ]);
  // Two of memory, and one tail at each scenario
  strictEqual(comparisonsOf(["memory", "p99"], 3), 5);
});
