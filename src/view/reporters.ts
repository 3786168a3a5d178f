/** Returns reports in every format. */
import { isSameResult } from "../analysis/keys.ts";
import type { OpenLoopResult } from "../model/derived.ts";
import { UsageError } from "../model/errors.ts";
import type { AnyReport, DistributedReport, Report } from "../model/report.ts";
import { toJson } from "../model/text.ts";
import { markdown } from "./markdown.ts";
import type { Screen, Value } from "./table.ts";
import { COLUMNS } from "./tables/result_columns.ts";
import { type Extent, terminal } from "./terminal.ts";

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
function csv(reports: readonly AnyReport[]): string {
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

/** The formats of reports. */
export const FORMATS = ["table", "markdown", "html", "json", "csv", "svg"] as const;
export type Format = typeof FORMATS[number];

/**
 * Returns reports in a format; `extent` is for the format `table`.
 *
 * @throws {UsageError} for several reports as JSON or SVG, or for merged runners as SVG
 */
export async function render(
  format: Format,
  reports: readonly AnyReport[],
  screen: Screen,
  extent?: (report: AnyReport) => Extent,
): Promise<string> {
  const [report, ...others] = reports;
  const isOne = format === "json" || format === "svg";
  if (isOne && (report === undefined || others.length > 0)) {
    throw new UsageError(`Cannot print several reports as ${format.toUpperCase()}: name one`);
  }
  switch (format) {
    case "table":
      return reports.map((report) => terminal(report, screen, extent?.(report))).join("\n");
    case "markdown":
      return markdown(reports);
    case "csv":
      return csv(reports);
    case "json":
      return toJson(report, 1) + "\n";
    case "html":
      // Loaded here, because only charts need their library
      return (await import("./html/page.ts")).html(reports);
    case "svg":
      if (report?.kind !== "run") {
        throw new UsageError("Cannot draw merged runners as SVG: use --format html instead");
      }
      return (await import("./html/picture.ts")).svg(report);
  }
}
