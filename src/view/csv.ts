import type { AnyReport, DistributedReport, Report } from "../model/report.ts";
import type { OpenLoopResult } from "../model/open_loop_result.ts";
import { COLUMNS } from "./tables/result_columns.ts";
import { figuresTable } from "./tables/summary_table.ts";
import type { Row, Value } from "./table.ts";

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

function linesOfRun(report: Report): Value[][] {
  const { columns, rows } = figuresTable(report);
  const keys = columns.map(({ key }) => key ?? "");
  return rows.map((row) => [
    report.id,
    report.createdAt,
    report.commit?.id ?? null,
    ...row.values ?? [],
    ...openLoopColumnsOf(row, keys, report.openLoopResults),
  ]);
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

/** Returns the values of the open-loop columns for a result. */
function openLoopColumnsOf(
  { values = [] }: Row,
  keys: readonly string[],
  openLoopResults: readonly OpenLoopResult[],
): Value[] {
  const [variant, scenario, perS] = ["server", "scenario", "asked_per_s"]
    .map((key) => values[keys.indexOf(key)]);
  const own = openLoopResults.find((one) =>
    one.variant === variant && one.scenario === scenario && one.perS === perS
  );
  return OPEN_LOOP_RESULT.map(([, value]) => own === undefined ? null : value(own));
}

function field(value: Value): string {
  const isNone = value === null || typeof value === "number" && !Number.isFinite(value);
  const plain = isNone ? "" : String(value);
  // A spreadsheet would run these as formulas: https://owasp.org/www-community/attacks/CSV_Injection
  const text = typeof value === "string" && /^[=+@\t-]/.test(value) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
