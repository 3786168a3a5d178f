/** Returns reports as CSV. */
import { isSameResult } from "../analysis/keys.ts";
import type { OpenLoopResult } from "../model/derived.ts";
import type { AnyReport, DistributedReport, Report } from "../model/report.ts";
import type { Value } from "./table.ts";
import { COLUMNS } from "./tables/result_columns.ts";

const OPEN_LOOP_RESULT = new Map<string, (openLoopResult: OpenLoopResult) => Value>([
  ["offered", ({ offered }) => offered],
  ["sent", ({ sent }) => sent],
  ["goodput_per_s", ({ goodputPerS }) => goodputPerS],
  ["response_p50_us", ({ responseTime }) => responseTime?.p50Us ?? null],
  ["response_p90_us", ({ responseTime }) => responseTime?.p90Us ?? null],
  ["response_p99_us", ({ responseTime }) => responseTime?.p99Us ?? null],
  ["response_p999_us", ({ responseTime }) => responseTime?.p999Us ?? null],
  ["response_max_us", ({ responseTime }) => responseTime?.maxUs ?? null],
  ["measurable_up_to", ({ measurableUpTo }) => measurableUpTo],
  ["recovery_s", ({ recoveryS }) => recoveryS],
]);

/** Returns every figure as CSV (RFC 4180): a line for each result, with units in the headings. */
export function csv(reports: readonly AnyReport[]): string {
  const keys = [...COLUMNS.map(({ key }) => key), ...OPEN_LOOP_RESULT.keys()];
  const lines = reports.flatMap((report) =>
    (report.kind === "run" ? linesOfRun(report) : linesOfMerged(report, keys))
      .map((values) => [report.id, report.createdAt, ...values])
  );
  return [["run", "created_at", "commit", ...keys], ...lines]
    .map((line) => line.map(field).join(",") + "\r\n").join("");
}

/** Returns a line for each scenario of merged runners. Columns that they do not know are empty. */
function linesOfMerged(
  { server, users, scenarios }: DistributedReport,
  keys: readonly string[],
): Value[][] {
  return scenarios.map((one) => {
    const values = new Map<string, Value>([
      ["server", server],
      ["scenario", one.scenario],
      ["connections", users],
      ["asked_per_s", one.perS],
      ["status", "ok"],
      ["requests_per_s", one.goodputPerS],
      ["p50_us", one.p50?.us ?? null],
      ["p99_us", one.p99?.us ?? null],
      ["errors", one.sent - one.right],
      ["responses", one.sent - one.failed],
      ["offered", one.offered],
      ["sent", one.sent],
      ["goodput_per_s", one.goodputPerS],
    ]);
    return [null, ...keys.map((key) => values.get(key) ?? null)];
  });
}

function linesOfRun({ commit, results, openLoopResults, experiment }: Report): Value[][] {
  const sorted = experiment.scenarios.flatMap((scenario) =>
    results.filter((result) => result.scenario === scenario)
  );
  return sorted.map((result) => {
    const open = openLoopResults.find((one) => isSameResult(one, result));
    return [
      commit?.id ?? null,
      ...COLUMNS.map(({ value }) => value(result)),
      ...OPEN_LOOP_RESULT.values().map((value) => open ? value(open) : null),
    ];
  });
}

function field(value: Value): string {
  const isNone = value === null || typeof value === "number" && !Number.isFinite(value);
  const plain = isNone ? "" : String(value);
  // A spreadsheet would run these as formulas: https://owasp.org/www-community/attacks/CSV_Injection
  const text = typeof value === "string" && /^[=+@\t-]/.test(value) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
