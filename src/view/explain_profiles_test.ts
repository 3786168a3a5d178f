import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Profile } from "../model/profile.ts";
import type { Report } from "../model/report.ts";
import { explain, profilePlaces, profileWarnings, whereTime } from "./explain.ts";
import { RESULT } from "./testdata/result.ts";
import { REPORT } from "./report_testdata.ts";

const frame = { depth: 0, name: "handle", place: "app/main.ts:3", kind: "own" } as const;
const PROFILE: Profile = {
  variant: RESULT.variant,
  scenario: RESULT.scenario,
  connections: RESULT.connections,
  perS: null,
  threads: 1,
  foldedStacks: {
    durationS: 3,
    samples: 1000,
    inCalls: 100,
    frames: [{ ...frame, self: 80, total: 100 }],
  },
  busiestThread: 0.5,
  responses: 30_000,
  files: ["x.deno.text.cpuprofile"],
  reason: null,
};
const of = (...profiles: Profile[]): Report => ({ ...REPORT, profiles });
const missing = (variant: string, scenario: string, reason: Profile["reason"]): Profile => ({
  ...PROFILE,
  variant,
  scenario,
  foldedStacks: null,
  files: [],
  reason,
});

Deno.test("what a profile says first is how much of the time calls had, and each response", () => {
  strictEqual(
    whereTime(PROFILE),
    "JavaScript and its calls took 10 % of 3 s under load, 10.0 µs per response, about 20 % of the thread's CPU time; the runtime and the kernel took the rest",
  );
  match(
    whereTime({ ...PROFILE, busiestThread: null, responses: 0 }),
    /took 10 % of 3 s under load$/,
  );
});

Deno.test("the evidence of a result has its profile, and the file", () => {
  const lines = explain(of(PROFILE), [RESULT.scenario]).join("\n");
  match(lines, /profile +JavaScript[^\n]*\n +80 % of that in handle app\/main\.ts:3\n/);
  match(lines, /1000 samples of 1 thread: x\.deno\.text\.cpuprofile/);
  strictEqual(/profile/.test(explain(REPORT, [RESULT.scenario]).join("\n")), false);
});

Deno.test("a run says where its profiles are", () => {
  deepStrictEqual(profilePlaces(REPORT), []);
  deepStrictEqual(profilePlaces(of(PROFILE)), [
    "The profile is next to it, for DevTools: x.deno.text.cpuprofile",
  ]);
  deepStrictEqual(profilePlaces(of(PROFILE, { ...PROFILE, files: ["y", "z"] })), [
    "3 profiles are next to it, for DevTools, such as x.deno.text.cpuprofile",
  ]);
});

Deno.test("a server that cannot be profiled is said once, and what failed at each scenario", () => {
  const bun = { kind: "no-inspector", command: "bun" } as const;
  const hung = { kind: "message", text: "it hung" } as const;
  deepStrictEqual(
    profileWarnings(of(
      missing("bun", "text", bun),
      missing("bun", "json", bun),
      missing("deno", "text", hung),
    )),
    [
      "No profile of bun: only servers started by node, deno run or deno serve can be profiled, and this one is started by bun.",
      "No profile of deno at text: it hung.",
    ],
  );
});
