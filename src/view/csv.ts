import type { Report } from "../model/report.ts";
import type { ResponseSummary } from "../model/response.ts";
import { figuresTable } from "./tables/summary.ts";
import type { Row, Value } from "./table.ts";

const RUN = ["run", "created_at", "commit"];
/** What there is of open loops alone. */
const RESPONSE: readonly (readonly [key: string, value: (response: ResponseSummary) => Value])[] = [
  ["offered", ({ offered }) => offered],
  ["sent", ({ sent }) => sent],
  ["goodput_per_s", ({ goodputPerS }) => goodputPerS],
  ["response_p50_us", ({ response }) => response?.p50Us ?? null],
  ["response_p90_us", ({ response }) => response?.p90Us ?? null],
  ["response_p99_us", ({ response }) => response?.p99Us ?? null],
  ["response_p999_us", ({ response }) => response?.p999Us ?? null],
  ["response_max_us", ({ response }) => response?.maxUs ?? null],
  ["measurable_up_to", ({ measurableUpTo }) => measurableUpTo],
  ["recovery_s", ({ recoveryS }) => recoveryS],
];

/**
 * Every figure of every cell of the reports as CSV, units in the headings, a line for each cell.
 * https://www.rfc-editor.org/rfc/rfc4180
 */
export function csv(reports: readonly Report[]): string {
  const tables = reports.map(figuresTable);
  const keys = tables[0]?.columns.map(({ key }) => key ?? "") ?? [];
  const lines = reports.flatMap(({ id, createdAt, commit, responses }, i) =>
    (tables[i]?.rows ?? []).map((row) => [
      id,
      createdAt,
      commit?.id ?? null,
      ...row.values ?? [],
      ...responseOf(row, keys, responses),
    ])
  );
  return [[...RUN, ...keys, ...RESPONSE.map(([key]) => key)], ...lines]
    .map((line) => line.map(field).join(",") + "\r\n").join("");
}

/** The response times of the cell that a row is of. */
function responseOf(
  { values = [] }: Row,
  keys: readonly string[],
  responses: readonly ResponseSummary[],
): Value[] {
  const [arm, scenario, perS] = ["server", "scenario", "asked_per_s"]
    .map((key) => values[keys.indexOf(key)]);
  const own = responses.find((one) =>
    one.arm === arm && one.scenario === scenario && one.perS === perS
  );
  return RESPONSE.map(([, value]) => own === undefined ? null : value(own));
}

function field(value: Value): string {
  const isNone = value === null || typeof value === "number" && !Number.isFinite(value);
  const plain = isNone ? "" : String(value);
  // A spreadsheet would run these as formulas: https://owasp.org/www-community/attacks/CSV_Injection
  const text = typeof value === "string" && /^[=+@\t-]/.test(value) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
