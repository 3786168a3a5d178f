import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { footer } from "./footer.ts";
import { DUEL, REPORT } from "./report_testdata.ts";
import { messageReason } from "./testdata/result.ts";

const [GOOD] = DUEL.results as [Result, ...Result[]];
const SIX = 6;

/** Returns a report with a failed round at each of `count` scenarios. */
function failing(count: number, why = "it hung"): Report {
  const results = Array.from({ length: count }, (_cell, i) => ({
    ...GOOD,
    scenario: `s${i}`,
    failedRounds: 1,
    reason: messageReason(why),
  }));
  return { ...REPORT, results };
}

Deno.test("the footer has six lines at most, what weighs most first, and counts the rest", () => {
  for (const count of [1, 2, 3, 10]) {
    const lines = footer(failing(count), 80);
    ok(lines.length <= SIX, lines.join("\n"));
    match(lines[0] ?? "", /^s0: 1 of 7 rounds failed: it hung$/);
  }
  // Those of the generator as the bottleneck are one warning
  deepStrictEqual(footer(failing(10), 80).filter((line) => /more warning/.test(line)), [
    "9 more warnings: deno task bench report --wide",
  ]);
});

Deno.test("a warning that is too long by itself is cut, and says where it stands whole", () => {
  for (const count of [1, 3]) {
    const lines = footer(failing(count, "it said so much ".repeat(100)), 80);
    ok(lines.length <= SIX, lines.join("\n"));
    match(lines.join(" "), /it said .*…\s+All\s+of\s+it:\s+deno\s+task\s+bench\s+report\s+--wide/);
  }
});

Deno.test("the footer says how long the run was, and what to know of the machine and the columns", () => {
  const quiet = { ...REPORT, results: [{ ...GOOD, bottleneck: null }] };
  deepStrictEqual(footer(quiet, 80), [
    "6 rounds in 1 min 40 s, 10 connections, autocannon",
    "! cores may blur figures: deno task bench doctor",
    "±: half the 95 % CI",
  ]);
  const relativeCpu = { rounds: 6, ratio: 1, confidenceInterval: null };
  const lines = footer({ ...quiet, results: [{ ...GOOD, bottleneck: null, relativeCpu }] }, 80);
  const last = lines.at(-1) ?? "";
  strictEqual(
    last,
    "Rel. CPU: CPU time per response, bare Deno.serve is 1; ±: half the 95 % CI",
  );
  ok(last.length <= 80);
});

Deno.test("the footer says that a run was stopped, and which load generator took over", () => {
  const results = [{ ...GOOD, bottleneck: null, isTakenOver: true }];
  const [one] = REPORT.generators;
  const generators = [one, { ...one, id: "stampede" }] as Report["generators"];
  const lines = footer({ ...REPORT, results, generators, complete: false }, 80);
  ok(
    lines.includes(
      "interrupted, 6 rounds in 1 min 40 s, 10 connections, autocannon (†: stampede)",
    ),
    lines.join("\n"),
  );
});
