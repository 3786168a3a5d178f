import { deepStrictEqual } from "node:assert/strict";
import type { Change } from "../model/derived.ts";
import { gateNotes } from "./gate_notes.ts";
import { CHANGES } from "./testdata/versus_report.ts";

const [SAME] = CHANGES.changes as readonly [Change];
const CLOSE: Change = {
  ...SAME,
  floor: 0,
  confidenceInterval: { low: 0.99, high: 1.01, coverage: 0.95 },
};
const SLOWER: Change = {
  ...SAME,
  scenario: "json",
  verdict: "slower",
  familyConfidenceInterval: { low: 0.7, high: 0.8, coverage: 0.99 },
};
const BROKEN: Change = { ...SAME, scenario: "sql1", verdict: "incomparable", isBroken: true };
const GATE = { speed: 0.05, costs: {}, strict: false };

Deno.test("gateNotes say what is proven, broken, and open", () => {
  deepStrictEqual(gateNotes({ changes: [CLOSE] }, GATE), [
    "No slowdown is proven to exceed 5.0 %.",
  ]);
  deepStrictEqual(gateNotes({ changes: [SAME, SLOWER, BROKEN] }, GATE), [
    "Broken in head, but not in base: sql1 of head.",
    "Proven to be more than 5.0 % slower: json of head.",
    "A slowdown of more than 5.0 % is neither proven nor excluded: text of head.",
  ]);
  deepStrictEqual(
    gateNotes({ changes: [SAME] }, { ...GATE, strict: true }).at(-1),
    "A slowdown of more than 5.0 % is neither proven nor excluded: text of head (--strict fails).",
  );
});

Deno.test("gateNotes say what was not found again, and that it is no proof", () => {
  deepStrictEqual(gateNotes({ changes: [{ ...SLOWER, isConfirmed: false }] }, GATE).slice(0, 2), [
    "No slowdown is proven to exceed 5.0 %.",
    "More than 5.0 % slower at first, but not in fresh rounds: json of head.",
  ]);
});

Deno.test("there is nothing to say without a gate", () => {
  deepStrictEqual(gateNotes({ changes: [SLOWER] }, { speed: null, costs: {}, strict: false }), []);
});
