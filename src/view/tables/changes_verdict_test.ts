import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Change } from "../../model/derived.ts";
import { changesTitle, changesVerdict, restOfVerdict } from "./changes_verdict.ts";
import { CHANGES } from "../testdata/versus_report.ts";

const [SAME] = CHANGES.changes as readonly [Change];
const of = (...changes: Partial<Change>[]): string =>
  changesVerdict({
    changes: changes.map((change) => ({ ...SAME, minimumDetectableChange: 0.01, ...change })),
  });

Deno.test("a verdict says first what is slower, by which figures, then what is faster", () => {
  const slower = { verdict: "slower", scenario: "json", ratio: 1.1 } as const;
  strictEqual(
    of(
      {},
      { ...slower, metric: "serverCpuUs" },
      { ...slower, metric: "p50Us", ratio: 1.2 },
      { verdict: "faster", scenario: "sql1", metric: "serverCpuUs", ratio: 0.95 },
    ),
    "Slower: json (+10.0 % CPU/req, +20.0 % p50). Faster: sql1 (−5.0 % CPU/req).",
  );
});

Deno.test("the rest of a verdict names what did not change, and is empty if nothing changed", () => {
  const slower = { ...SAME, minimumDetectableChange: 0.01, verdict: "slower" } as const;
  const same = { ...slower, verdict: "same" } as const;
  const apart = { ...slower, scenario: "json", verdict: "incomparable" } as const;
  deepStrictEqual(restOfVerdict({ changes: [slower, same, apart], costs: [] }), [
    "No other detectable change; the smallest detectable one was 1.0 %.",
    "Not comparable: json.",
  ]);
  deepStrictEqual(restOfVerdict({ changes: [same, apart], costs: [] }), []);
});

Deno.test("a verdict says what would have been detected where nothing was", () => {
  strictEqual(
    of({}, { scenario: "json", minimumDetectableChange: 0.02 }),
    "No detectable change in 2 scenarios; the smallest detectable one was 1.0 % to 2.0 %, depending on the row.",
  );
  strictEqual(
    of({ minimumDetectableChange: null }),
    "No detectable change in 1 scenario; none could have been detected.",
  );
});

Deno.test("a verdict names where nothing could have been found, connections, and scenarios once", () => {
  strictEqual(
    of({}, { scenario: "json", minimumDetectableChange: null }),
    "No detectable change in 2 scenarios; the smallest detectable one was 1.0 %, none could have been detected at json.",
  );
  strictEqual(
    of(
      { connections: 10, verdict: "slower", metric: "serverCpuUs", ratio: 1.08 },
      { connections: 100, verdict: "faster", metric: "serverCpuUs", ratio: 0.92 },
    ),
    "Slower: text at 10 connections (+8.0 % CPU/req). Faster: text at 100 connections (−8.0 % CPU/req).",
  );
  strictEqual(
    of({}, { variant: "node" }),
    "No detectable change in 1 scenario; the smallest detectable one was 1.0 %.",
  );
  strictEqual(changesVerdict({ changes: [] }), "Nothing to compare.");
});

Deno.test("a verdict names what cannot be compared, and servers if there are several", () => {
  strictEqual(of({ verdict: "incomparable" }), "Not comparable: text.");
  strictEqual(
    of({ variant: "deno", verdict: "slower", metric: "relativeCpu", ratio: 1.5 }, {
      variant: "node",
    }),
    "Slower: text of deno (+50.0 % Rel. CPU).",
  );
});

Deno.test("a title says the result, and what is compared with what", () => {
  const titleOf = (...changes: Partial<Change>[]): string =>
    changesTitle({ changes: changes.map((change) => ({ ...SAME, ...change })) }, {
      base: "before",
      head: "head",
    });
  const slower = { verdict: "slower", metric: "serverCpuUs", ratio: 1.076 } as const;
  const faster = { verdict: "faster", metric: "requestsPerS", ratio: 1.2 } as const;
  strictEqual(
    titleOf({ scenario: "json", ...faster }, { scenario: "text", ...slower }),
    "text: +7.6 % CPU/req and 1 more change, head against before",
  );
  strictEqual(
    titleOf({ ...slower }, { ...slower, metric: "p50Us" }),
    "text: +7.6 % CPU/req, head against before",
  );
  strictEqual(titleOf({}), "No detectable change, head against before");
  strictEqual(titleOf({ verdict: "incomparable" }), "Not comparable, head against before");
  strictEqual(titleOf(), "Nothing to compare, head against before");
});

Deno.test("a verdict says in its first line what a gate lets pass because it is not proven to be more", () => {
  const slower: Change = {
    ...SAME,
    minimumDetectableChange: 0.01,
    verdict: "slower",
    metric: "serverCpuUs",
    ratio: 1.076,
    familyConfidenceInterval: { low: 1.035, high: 1.113, coverage: 0.95 },
  };
  strictEqual(
    changesVerdict({ changes: [slower] }, { speed: 0.05, costs: {} }),
    "Slower: text (+7.6 % CPU/req, not proven to exceed 5.0 %).",
  );
  strictEqual(
    changesVerdict({ changes: [slower] }, { speed: 0.03, costs: {} }),
    "Slower: text (+7.6 % CPU/req).",
  );
  strictEqual(changesVerdict({ changes: [slower] }), "Slower: text (+7.6 % CPU/req).");
});
