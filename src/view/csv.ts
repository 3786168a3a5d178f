import type { AnyReport, DistributedReport, Report } from "../model/report.ts";
import type { OpenLoopResult } from "../model/open_loop_result.ts";
import { isSameResult } from "../analysis/result_key.ts";
import { COLUMNS } from "./tables/result_columns.ts";
import type { Value } from "./table.ts";

const RUN = ["run", "created_at", "commit"];
/** Columns that only results of open loops have. */
const OPEN_LOOP_RESULT:
  readonly (readonly [key: string, value: (openLoopResult: OpenLoopResult) => Value])[] = [
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
  ];

/**
 * Returns every figure of the reports as CSV: a line for each result, with units in the headings.
 * https://www.rfc-editor.org/rfc/rfc4180
 */
export function csv(reports: readonly AnyReport[]): string {
  const keys = [...COLUMNS.map(({ key }) => key), ...OPEN_LOOP_RESULT.map(([key]) => key)];
  const lines = reports.flatMap((report) =>
    report.kind === "run" ? linesOfRun(report) : linesOfMerged(report, keys)
  );
  return [[...RUN, ...keys], ...lines]
    .map((line) => line.map(field).join(",") + "\r\n").join("");
}

/** Returns a line for each scenario of merged runners. Columns that they do not know are empty. */
function linesOfMerged(
  { id, createdAt, server, users, scenarios }: DistributedReport,
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
    return [id, createdAt, null, ...keys.map((key) => values.get(key) ?? null)];
  });
}

/** Returns the values of each result, in the order of the scenarios. */
function linesOfRun(
  { id, createdAt, commit, results, openLoopResults, experiment }: Report,
): Value[][] {
  const sorted = experiment.scenarios.flatMap((scenario) =>
    results.filter((result) => result.scenario === scenario)
  );
  return sorted.map((result) => {
    const open = openLoopResults.find((one) => isSameResult(one, result));
    return [
      id,
      createdAt,
      commit?.id ?? null,
      ...COLUMNS.map(({ value }) => value(result)),
      ...OPEN_LOOP_RESULT.map(([, value]) => open === undefined ? null : value(open)),
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
