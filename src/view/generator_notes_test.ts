import { deepStrictEqual, match } from "node:assert/strict";
import type { Report } from "../model/report.ts";
import type { Bottleneck } from "../model/derived.ts";
import { generatorNotes } from "./generator_notes.ts";
import { REPORT } from "./report_testdata.ts";
import { BOTTLENECK, RESULT } from "./testdata/result.ts";

/** Returns a report of one rate, with this bottleneck. */
function reportOf(kind: Bottleneck["kind"], busiestThread: number): Report {
  const generator = { ...BOTTLENECK.evidence.generator, busiestThread } as NonNullable<
    Bottleneck["evidence"]["generator"]
  >;
  const bottleneck = {
    ...BOTTLENECK,
    kind,
    evidence: { ...BOTTLENECK.evidence, server: null, generator },
  };
  return {
    ...REPORT,
    experiment: { ...REPORT.experiment, kind: "rate" },
    results: [{ ...RESULT, perS: 5000, bottleneck }],
  };
}

Deno.test("of a server that is not to be seen, an idle load generator says whose the times are", () => {
  const [note = "", ...others] = generatorNotes(reportOf("unknown", 0.31));
  match(note, /busiest thread ran for at most 31 % of the time, so it was not the bottleneck/);
  deepStrictEqual(others, []);
});

Deno.test("a load generator that could send no more says that one machine is not enough", () => {
  const [note = "", ...others] = generatorNotes(reportOf("generator", 0.98));
  match(
    note,
    /was the bottleneck: .* at 5,000\/s\. Use several machines .*deno task bench export k6/,
  );
  deepStrictEqual(others, []);
});

Deno.test("a server that is to be seen, or a closed loop, needs no such word", () => {
  const seen = { ...RESULT, perS: 5000, bottleneck: { ...BOTTLENECK, kind: "server" } } as const;
  deepStrictEqual(generatorNotes({ ...reportOf("server", 0.3), results: [seen] }), []);
  const closed = { ...reportOf("generator", 1), experiment: REPORT.experiment };
  deepStrictEqual(generatorNotes(closed), []);
});

Deno.test("connections that lie idle are no bottleneck of an open loop", () => {
  const report = reportOf("generator", 0.3);
  const results = report.results.map((result) => ({
    ...result,
    bottleneck: result.bottleneck && {
      ...result.bottleneck,
      reasons: [{ kind: "connections-idle", little: 0.1 }] as const,
    },
  }));
  match(generatorNotes({ ...report, results }).join(), /^The server's CPU time is unknown/);
});
