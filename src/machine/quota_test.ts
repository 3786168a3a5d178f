import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { tightest } from "./quota.ts";

Deno.test("of several quotas the smallest applies, and the own one where they are alike", () => {
  const own = { cores: "unlimited", throttledS: 1 } as const;
  const above = { cores: 2, throttledS: 3 };
  const top = { cores: 4, throttledS: 5 };
  deepStrictEqual(tightest([own, above, top]), above);
  deepStrictEqual(tightest([own, { ...own, throttledS: null }]), own);
  deepStrictEqual(tightest([top, { ...top, throttledS: 0 }]), top);
  strictEqual(tightest([]), null);
});
