import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { CountChange } from "../model/counts.ts";
import { countsLines, describeCount } from "./counts_text.ts";

const CHANGE: CountChange = {
  scenario: "text",
  kind: "system-call",
  name: "setsockopt",
  per: "connection",
  base: 0,
  head: 1,
  isExact: true,
};
const NOTHING = { changes: [], compared: 0, varying: [], absences: [] };

Deno.test("a count is described with its unit, and `about` unless it is exact", () => {
  strictEqual(describeCount(CHANGE), "setsockopt 0 → 1 per connection");
  const part = { ...CHANGE, name: "futex", per: "request", isExact: false } as const;
  strictEqual(
    describeCount({ ...part, base: 1.25, head: 1.5 }),
    "futex about 1.3 → 1.5 per request",
  );
  const heap = { ...part, kind: "allocated-bytes", name: null } as const;
  strictEqual(
    describeCount({ ...heap, base: 808, head: 1064.2 }),
    "bytes allocated about 808 → 1,064 per request",
  );
});

Deno.test("the counts that differ have a line each, with what varies and what is missing", () => {
  const reason = { kind: "message", text: "strace is not installed" } as const;
  deepStrictEqual(
    countsLines({
      counts: {
        changes: [CHANGE],
        compared: 30,
        varying: ["epoll_wait", "context-switch"],
        absences: [
          { scenario: "text", what: "System calls", reason },
          { scenario: "json", what: "System calls", reason },
          { scenario: "delay", what: "Nothing", reason: { ...reason, text: "it is slow" } },
        ],
      },
    }),
    [
      "One count differs (one connection, one request at a time; repeated exactly):",
      "text: setsockopt 0 → 1 per connection",
      "Counts that vary by themselves, and were not compared: epoll_wait, context switches.",
      "System calls were not counted: strace is not installed.",
      "delay was not counted: it is slow.",
    ],
  );
  deepStrictEqual(countsLines({ counts: null }), []);
  deepStrictEqual(countsLines({ counts: { ...NOTHING, compared: 9 } }), [
    "No count differs, of 9.",
  ]);
  deepStrictEqual(countsLines({ counts: NOTHING }), ["Nothing could be counted."]);
});
