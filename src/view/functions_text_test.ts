import { deepStrictEqual } from "node:assert/strict";
import type { FunctionChange, FunctionChanges } from "../model/profile.ts";
import { functionsLines } from "./functions_text.ts";

const CHANGE: FunctionChange = {
  name: "wait",
  was: null,
  place: "routes/plain.ts:12",
  kind: "own",
  baseUs: 0.5,
  headUs: 1.75,
  low: 0.71,
  high: 1.8,
  isProven: true,
};
const CHANGES: FunctionChanges = {
  scenario: "json",
  connections: 10,
  perS: null,
  reason: null,
  compared: 22,
  changes: [CHANGE],
};

Deno.test("the three largest proven changes are named, with their intervals", () => {
  const less = { ...CHANGE, was: "pause", baseUs: 1, headUs: 0.5, low: -0.6, high: -0.4 };
  const changes = [CHANGE, less, CHANGE, CHANGE, { ...CHANGE, isProven: false }];
  deepStrictEqual(functionsLines({ functions: [{ ...CHANGES, changes }] }), [
    "Functions that changed at json, CPU time per request:",
    "+1.25 µs (+0.71 to +1.80): wait routes/plain.ts:12",
    "−0.50 µs (−0.60 to −0.40): wait routes/plain.ts:12, before: pause",
    "+1.25 µs (+0.71 to +1.80): wait routes/plain.ts:12",
  ]);
});

Deno.test("without a proven change, or without a profile, a sentence says so", () => {
  const unproven = { ...CHANGES, changes: [{ ...CHANGE, isProven: false }] };
  const reason = { kind: "no-inspector", command: "bun" } as const;
  deepStrictEqual(
    functionsLines({ functions: [unproven, { ...CHANGES, reason, changes: [] }] }).map((line) =>
      line.slice(0, 60)
    ),
    [
      "No function is proven to have changed at json, of 22.",
      "json was not profiled: only servers started by node, deno ru",
    ],
  );
  deepStrictEqual(functionsLines({ functions: [] }), []);
});
