import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Bottleneck } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { REPORT } from "../report_testdata.ts";
import { CAPACITIES, OPEN_LOOP_RESULT, timesOf } from "../testdata/open_loop_report.ts";
import { BOTTLENECK, RESULT } from "../testdata/result.ts";
import { openLoop } from "./open_loop_table.ts";

const RATES: Report = {
  ...CAPACITIES,
  experiment: { ...CAPACITIES.experiment, kind: "rate", search: null },
  capacities: [],
};

/** Returns the cells of a row by their headings. */
function rowOf(report: Report, place: number): Record<string, string> {
  const { columns, rows } = openLoop(report, "").table;
  return Object.fromEntries(
    columns.map(({ heading }, i) => [heading, rows[place]?.cells[i] ?? ""]),
  );
}

Deno.test("response times stand at their rates, the lowest first", () => {
  const { rows } =
    openLoop({ ...RATES, openLoopResults: RATES.openLoopResults.toReversed() }, "").table;
  deepStrictEqual(rows.map(({ cells }) => cells[1]), ["250.0", "500.0", "900.0"]);
  const { Sent, "Goodput/s": goodput, "p50 ms": p50, "p99 ms": p99 } = rowOf(RATES, 0);
  deepStrictEqual([Sent, goodput, p50, p99], ["100 %", "499.0", "0.250", "1.00"]);
  strictEqual("Load" in rowOf(RATES, 0), false);
});

Deno.test("response times of a capacity stand at shares of it", () => {
  deepStrictEqual([0, 1, 2].map((place) => rowOf(CAPACITIES, place).Load), [
    "25 %",
    "50 %",
    "90 %",
  ]);
  strictEqual(rowOf(CAPACITIES, 0).Recovery, "2 ms");
});

Deno.test("a percentile with much of the load generator's own lateness is an upper bound, and why", () => {
  const report = { ...RATES, openLoopResults: [{ ...OPEN_LOOP_RESULT, measurableUpTo: 0.9 }] };
  const { "p90 ms": p90, "p99 ms": p99 } = rowOf(report, 0);
  deepStrictEqual([p90, p99], ["2.00", "≤ 4.00"]);
  ok(
    openLoop(report, "").notes.some((note) =>
      /^≤: an upper bound.* up to 10.0 µs \(p50\), 40.0 µs \(p99\), at text of deno at 500/
        .test(note)
    ),
  );
});

Deno.test("what became of requests is said where the rate was not reached, but not beyond a capacity", () => {
  const beyond = {
    ...OPEN_LOOP_RESULT,
    status: "unreached",
    sent: 2000,
    refused: 7,
    shed: 250,
  } as const;
  const [note] = openLoop({ ...RATES, openLoopResults: [beyond] }, "").notes.slice(-1);
  match(
    note ?? "",
    /the rate was not reached: of 2250 .* 2000 were sent, 0 failed, 7 were refused/,
  );
  const of = openLoop({ ...CAPACITIES, openLoopResults: [beyond] }, "").notes;
  strictEqual(of.some((note) => note.includes("not reached")), false);
});

Deno.test("a rate at which the check itself is overloaded is not said to be wrong", () => {
  const [check] = RATES.openChecks;
  if (check === undefined) throw new Error("no check");
  const [, note] = openLoop({ ...RATES, openChecks: [{ ...check, serviceUs: 2000 }] }, "").notes;
  match(
    note ?? "",
    /^At 700.0\/s the open loop could not be checked, because the check's server took 2,000 µs/,
  );
});

Deno.test("the check before the run says where the open loop was wrong", () => {
  const note = openLoop(RATES, "").notes.find((note) => note.startsWith("At 700.0/s"));
  match(note ?? "", /is exact up to p90/);
});

Deno.test("the ratio of isolation is bounded where one side is, and left out where both are", () => {
  const said = (inlineUpTo: number, apartUpTo: number): string => {
    const inline = {
      ...OPEN_LOOP_RESULT,
      scenario: "isolation-inline",
      responseTime: timesOf(28_300),
    };
    const openLoopResults = [
      { ...inline, besidePerS: 10, measurableUpTo: inlineUpTo },
      { ...OPEN_LOOP_RESULT, scenario: "isolation", besidePerS: 10, measurableUpTo: apartUpTo },
    ];
    return openLoop({ ...RATES, openLoopResults }, "").notes.find((note) =>
      note.startsWith("Median")
    ) ??
      "";
  };
  match(said(0.99, 0.99), /: deno 28.3 x\.$/);
  match(said(0.99, 0), /: deno ≥ 28.3 x\.$/);
  match(said(0, 0.5), /: deno ≤ 28.3 x\.$/);
  match(said(0, 0), /: deno not measurable\.$/);
});

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

/** Returns the notes on the load generator and the server's CPU time. */
const generatorNotes = (report: Report): string[] =>
  openLoop(report, "").notes.filter((note) => /^The (load generator|server's CPU)/.test(note));

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
