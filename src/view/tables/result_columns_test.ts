import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Result } from "../../model/derived.ts";
import type { VariantRecord } from "../../model/experiment.ts";
import type { Report } from "../../model/report.ts";
import { DUEL, REPORT } from "../report_testdata.ts";
import { draw, type Table } from "../table.ts";
import { messageReason } from "../testdata/result.ts";
import { rankedTable, summaryTable } from "./result_columns.ts";

const GOOD = DUEL.results[0] as Result;

/** Returns a report with a good result for each argument, with the argument's changes. */
function reportOf(...changes: Partial<Result>[]): Report {
  const results = changes.map((change) => ({ ...GOOD, ...change }));
  const scenarios = [...new Set(results.map(({ scenario }) => scenario))];
  return { ...REPORT, experiment: { ...REPORT.experiment, scenarios }, results };
}

const headings = (report: Report): string[] =>
  summaryTable(report, true).columns.map(({ heading }) => heading);

/** Returns the first row's cell under a heading. */
function shown(heading: string, change: Partial<Result>, column = 0): string | undefined {
  const { columns, rows } = summaryTable(reportOf(change), true);
  const places = columns.flatMap((one, i) => one.heading === heading ? [i] : []);
  return rows[0]?.cells[places[column] ?? -1];
}

Deno.test("a lower bound is marked, and the figure that says most is another", () => {
  strictEqual(shown("Req/Sec", { isLowerBound: true }), "≥ 77,640");
  strictEqual(shown("Req/Sec", { isLowerBound: false, isTakenOver: true }), "† 77,640");
  strictEqual(shown("Req/Sec", { isLowerBound: true, isTakenOver: true }), "†≥ 77,640");
  strictEqual(shown("Req/Sec", { isLowerBound: false }), "77,640");
  const leading = [true, false].map((isLowerBound) =>
    summaryTable(reportOf({ isLowerBound }), true).rows[0]?.leading
  );
  deepStrictEqual(leading, ["CPU/req", "Req/Sec"]);
});

Deno.test("what one core could answer has a column only if one result has it", () => {
  const report = reportOf({}, { scenario: "json", capacityPerCore: null });
  const at = headings(report).indexOf("per core");
  deepStrictEqual(summaryTable(report, true).rows.map(({ cells }) => cells[at]), [
    "~ 133,300",
    "–",
  ]);
  strictEqual(headings(reportOf({ capacityPerCore: null })).includes("per core"), false);
});

Deno.test("errors of any kind have a column, and none if there are none", () => {
  const none = { transport: 0, timeout: 0, non2xx: 0, probe: 0 };
  strictEqual(headings(reportOf({ errors: none })).includes("Errors"), false);
  for (const kind of ["transport", "timeout", "non2xx", "probe"]) {
    strictEqual(shown("Errors", { errors: { ...none, [kind]: 3 } }), "! 3 of 500,000", kind);
  }
  strictEqual(shown("Errors", { errors: { ...none, probe: 1, timeout: 1 } }), "! 2 of 500,000");
});

Deno.test("servers and ranks are shown if there are several servers", () => {
  deepStrictEqual(headings(DUEL).slice(0, 3), ["Server", "Scenario", "Rank"]);
  deepStrictEqual(headings(REPORT).slice(0, 2), ["Scenario", "Req/Sec"]);
  const unranked = { ...DUEL, results: [{ ...GOOD, rank: null }] };
  deepStrictEqual(summaryTable(unranked, true).rows[0]?.cells.slice(0, 3), ["deno", "text", "–"]);
});

Deno.test("the summary has the ranks of the ranked table, in the same order", () => {
  const results = ([["node", 2], ["deno", 2], ["encore", 1]] as const).map(([variant, rank]) => ({
    ...GOOD,
    variant,
    rank,
  }));
  const servers = DUEL.servers.map((server) => ({ ...server, skipped: null }));
  const report = { ...DUEL, results, servers };
  const ranksOf = ({ columns, rows }: Table): string[] => {
    const at = (heading: string): number => columns.findIndex((one) => one.heading === heading);
    return rows.filter(({ cells }) => cells.length > 0)
      .map(({ cells }) => `${cells[at("Rank")]} ${cells[at("Server")]}`);
  };
  deepStrictEqual(ranksOf(summaryTable(report, true)), ["1  encore", "2= deno", "2= node"]);
  deepStrictEqual(ranksOf(rankedTable(report)), ranksOf(summaryTable(report, true)));
});

Deno.test("servers stand together by scenario, both in the order of the run", () => {
  const results = ["a", "b"].flatMap((scenario) =>
    ["node", "deno"].map((variant) => ({ ...GOOD, scenario, variant }))
  );
  const [deno, node] = DUEL.experiment.variants as [VariantRecord, VariantRecord];
  const experiment = { ...DUEL.experiment, scenarios: ["b", "a"], variants: [deno, node] };
  deepStrictEqual(
    summaryTable({ ...DUEL, experiment, results }, true).rows.map(({ cells }) =>
      cells.slice(0, 2).join(" ")
    ),
    ["deno b", "node b", "deno a", "node a", "encore"],
  );
});

Deno.test("what is not known is printed as such, and never as a number", () => {
  const unknown: Partial<Result> = {
    serverCpuUs: null,
    p50Us: null,
    p99Us: null,
    probe: null,
    peakRssBytes: null,
    bottleneck: null,
    isLowerBound: false,
    capacityPerCore: null,
    requestsPerS: null,
  };
  const report = reportOf(unknown, { scenario: "json" });
  const cells = summaryTable(report, true).rows[0]?.cells;
  deepStrictEqual(cells, ["text", ...Array(10).fill("–")]);
  deepStrictEqual(headings(reportOf(unknown)), ["Scenario", "Req/Sec", "Bottleneck"]);
});

Deno.test("half an interval is a share of its median, where there is one to share", () => {
  const estimate = GOOD.serverCpuUs as NonNullable<Result["serverCpuUs"]>;
  const confidenceInterval = { low: 90, high: 110, coverage: 0.97 };
  const of = (change: object): string | undefined =>
    shown("±", { serverCpuUs: { ...estimate, confidenceInterval, median: 100, ...change } }, 1);
  deepStrictEqual([of({}), of({ confidenceInterval: null })], ["10 %", undefined]);
  strictEqual(
    of({ median: 0, confidenceInterval: { ...confidenceInterval, low: 0, high: 0 } }),
    undefined,
  );
});

Deno.test("a row without figures holds its names and why, on one line", () => {
  const failed: Partial<Result> = {
    status: "failed",
    reason: messageReason("killed:\nby 9\nat once"),
  };
  const [row] = summaryTable(reportOf(failed), true).rows;
  deepStrictEqual([row?.cells, row?.rest], [["text"], "failed: killed: by 9 at once"]);
  const table = summaryTable({ ...DUEL, results: [{ ...GOOD, ...failed }] }, true);
  deepStrictEqual(table.rows[0]?.cells, ["deno", "text", "1 "]);
});

Deno.test("a server without any figure has one row with the reason, after the others", () => {
  const failed = {
    ...GOOD,
    variant: "node",
    status: "failed",
    reason: messageReason("it\nhung"),
  } as const;
  const results = [GOOD, failed, { ...failed, scenario: "json" }];
  const rows = summaryTable({ ...DUEL, results }, true).rows.slice(1);
  deepStrictEqual(rows, [
    { cells: ["node"], rest: "failed: it hung", server: "node" },
    { cells: ["encore"], rest: "skipped: encore not found (install it)", server: "encore" },
  ]);
  const apart = [GOOD, failed, {
    ...failed,
    scenario: "json",
    reason: messageReason("something else"),
  }];
  const experiment = { ...DUEL.experiment, scenarios: ["text", "json"] };
  const report = { ...DUEL, experiment, results: apart };
  deepStrictEqual(summaryTable(report, true).rows.map(({ cells }) => cells.slice(0, 2).join(" ")), [
    "deno text",
    "node text",
    "node json",
    "encore",
  ]);
});

Deno.test("connections have a column in a sweep, and their rows stand in order", () => {
  const results = [100, 1].map((connections) => ({ ...GOOD, connections }));
  const load = { ...REPORT.experiment.load, connections: [1, 100] };
  const report = { ...REPORT, experiment: { ...REPORT.experiment, load }, results };
  deepStrictEqual(headings(report).slice(0, 2), ["Scenario", "Conns"]);
  deepStrictEqual(summaryTable(report, true).rows.map(({ cells }) => cells[1]), ["1", "100"]);
  strictEqual(headings(REPORT).includes("Conns"), false);
});

Deno.test("a narrow screen loses the least important columns first, intervals last, whole", () => {
  const table = summaryTable(DUEL, true);
  let known = Infinity;
  for (const columns of [200, 110, 100, 90, 80, 70, 60, 50]) {
    const [heading = "", row = ""] = draw(table, { columns, styled: false });
    const names = heading.split(/ {2,}/);
    strictEqual(row.split(/ {2,}/).length, names.length, heading);
    strictEqual(names.length <= known, true);
    strictEqual(heading.length <= columns, true, heading);
    strictEqual(names[names.indexOf("Req/Sec") + 1] === "±" || names.length === 4, true, heading);
    known = names.length;
  }
  const last = draw(table, { columns: 90, styled: false }).at(-1) ?? "";
  strictEqual(last.startsWith("(too narrow for "), true, last);
  strictEqual(draw(table, { columns: 300, styled: false }).join().includes("too narrow"), false);
});
