import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Frame, Profile } from "../model/profile.ts";
import { hotFunctions, inCallsOf, usPerResponse } from "./profiles.ts";

const frame = (depth: number, name: string, self: number, total: number): Frame => ({
  depth,
  name,
  place: null,
  kind: "native",
  self,
  total,
});
const PROFILE: Profile = {
  variant: "deno",
  scenario: "text",
  connections: 10,
  perS: null,
  threads: 1,
  foldedStacks: {
    durationS: 2,
    samples: 1000,
    inCalls: 100,
    frames: [
      frame(0, "a", 10, 80),
      frame(1, "b", 30, 70),
      frame(2, "a", 40, 40),
      frame(0, "c", 20, 20),
      frame(1, "a", 0, 0),
    ],
  },
  busiestThread: 0.5,
  responses: 1000,
  files: [],
  reason: null,
};

Deno.test("hotFunctions adds up a function's callers, and counts what calls itself once", () => {
  deepStrictEqual(
    hotFunctions(PROFILE).map(({ name, self, total }) => [name, self, total]),
    [["a", 50, 80], ["b", 30, 70], ["c", 20, 20]],
  );
});

Deno.test("usPerResponse divides the time of samples among the responses", () => {
  strictEqual(usPerResponse(PROFILE, 100), 200);
  strictEqual(usPerResponse({ ...PROFILE, threads: 2 }, 100), 400);
  strictEqual(usPerResponse({ ...PROFILE, responses: 0 }, 100), null);
});

Deno.test("inCallsOf says a share of what the thread ran only where calls did not wait", () => {
  deepStrictEqual(inCallsOf(PROFILE), { ofTime: 0.1, ofRunning: 0.2 });
  deepStrictEqual(inCallsOf({ ...PROFILE, busiestThread: 0.05 }), {
    ofTime: 0.1,
    ofRunning: null,
  });
  deepStrictEqual(inCallsOf({ ...PROFILE, threads: 2 }), { ofTime: 0.1, ofRunning: null });
  strictEqual(inCallsOf({ ...PROFILE, foldedStacks: null }), null);
});
