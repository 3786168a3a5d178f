import type { Report } from "../model/report.ts";
import { figuresTable } from "./tables/summary.ts";
import type { Value } from "./table.ts";

const RUN = ["run", "created_at", "commit"];

/**
 * Every figure of every cell of the reports as CSV, units in the headings, a line for each cell.
 * https://www.rfc-editor.org/rfc/rfc4180
 */
export function csv(reports: readonly Report[]): string {
  const tables = reports.map(figuresTable);
  const keys = tables[0]?.columns.map(({ key }) => key ?? "") ?? [];
  const lines = reports.flatMap(({ id, createdAt, commit }, i) =>
    (tables[i]?.rows ?? []).map(({ values = [] }) => [id, createdAt, commit?.id ?? null, ...values])
  );
  return [[...RUN, ...keys], ...lines].map((line) => line.map(field).join(",") + "\r\n").join("");
}

function field(value: Value): string {
  const plain = value === null ? "" : String(value);
  // A spreadsheet would run these as formulas: https://owasp.org/www-community/attacks/CSV_Injection
  const text = typeof value === "string" && /^[=+@\t-]/.test(value) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
