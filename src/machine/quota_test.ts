import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { awakeCpus, tightest, usableCores } from "./quota.ts";

Deno.test("of several quotas the smallest applies, and the own one where they are alike", () => {
  const own = { cores: "unlimited", throttledS: 1 } as const;
  const above = { cores: 2, throttledS: 3 };
  const top = { cores: 4, throttledS: 5 };
  deepStrictEqual(tightest([own, above, top]), above);
  deepStrictEqual(tightest([own, { ...own, throttledS: null }]), own);
  deepStrictEqual(tightest([top, { ...top, throttledS: 0 }]), top);
  strictEqual(tightest([]), null);
});

Deno.test("usableCores are those allowed, or less by a quota", () => {
  const machine = { logicalCpus: 8, allowedCpus: [0, 1, 2, 3], quota: null };
  strictEqual(usableCores(machine), 4);
  strictEqual(usableCores({ ...machine, allowedCpus: null }), 8);
  strictEqual(usableCores({ ...machine, quota: { cores: 1.5, throttledS: 0 } }), 1.5);
  strictEqual(usableCores({ ...machine, quota: { cores: "unlimited", throttledS: 0 } }), 4);
});

Deno.test("awakeCpus are those allowed, and none where that would use up a quota", () => {
  const machine = { os: "linux", logicalCpus: 4, allowedCpus: [1, 2], quota: null };
  deepStrictEqual(awakeCpus(machine), [1, 2]);
  deepStrictEqual(awakeCpus({ ...machine, allowedCpus: null }), [0, 1, 2, 3]);
  deepStrictEqual(awakeCpus({ ...machine, quota: { cores: 1.5, throttledS: 0 } }), []);
  deepStrictEqual(awakeCpus({ ...machine, os: "darwin" }), []);
});
