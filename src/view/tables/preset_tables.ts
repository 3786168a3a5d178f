import type { Result } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import {
  type Preset,
  type PresetRow,
  type PresetTable,
  type RowOfTable,
  tableOf,
} from "../../model/preset.ts";
import { fixed, oneLine, UNKNOWN } from "../../model/text.ts";
import { milliseconds, rate } from "../format.ts";
import { markdownTable, markdownText } from "../markdown.ts";
import { describeStatus, withReason } from "../reasons.ts";
import { environment } from "../environment_text.ts";
import { absenceOf } from "./servers_table.ts";
import { column, type Row, type Table } from "../table.ts";
import { draw, type Screen } from "../draw.ts";

/**
 * Returns the published and measured figures of a preset's table, and the ratios between its systems,
 * in lines that fit the screen.
 */
export function describePreset(table: PresetTable, report: Report, screen: Screen): string[] {
  return [
    "",
    `${table.title} (${howLoaded(table, report)})`,
    ...draw(presetTable(table, report), screen),
    ...ratios(table, report),
  ];
}

/**
 * Returns the tables of a preset as Markdown, without those that were not measured.
 *
 * @param reports the report of each table; null for a table that was not measured
 */
export function presetMarkdown(preset: Preset, reports: readonly (Report | null)[]): string {
  const tables = preset.tables.flatMap((table, i) => {
    const report = reports[i];
    if (!report) return [];
    const lines = [...ratios(table, report), ...environment(report)];
    return [
      `#### ${markdownText(table.title)}\n`,
      `Measured on ${report.createdAt.slice(0, 10)}: ${howLoaded(table, report)}.\n`,
      `${markdownTable(presetTable(table, report))}\n`,
      ...lines.map((line) => `- ${markdownText(line)}`),
      "",
    ];
  });
  const across = ratiosOfTables(preset, reports).map((line) => `- ${markdownText(line)}`);
  return [`### ${markdownText(preset.title)}\n`, ...tables, ...across].join("\n") + "\n";
}

/** Returns how a table was measured: length, connections, runs and load generator. */
function howLoaded(table: PresetTable, { experiment: { variants } }: Report): string {
  const generator = [...new Set(variants.map((variant) => variant.generator))].join(", ");
  const load = table.requests === null ? `${table.seconds} s` : `${table.requests} requests`;
  const runs = table.runs === 1 ? "once" : `${table.runs} times`;
  const stand = generator === table.tool
    ? generator
    : `${generator}, because ${table.tool} is not installed`;
  return `${load} over ${table.connections} connections, ${runs}, with ${stand}`;
}

/**
 * Returns a table of published and measured figures. The measured rate is the median; if the best run
 * was published, the best run comes before it.
 */
export function presetTable({ rows, kept }: PresetTable, report: Report): Table {
  const measured = kept === "best" ? ["measured, best", "median"] : ["measured"];
  return withoutEmpty(["p50 published", "p99 published", "Note"], {
    columns: [
      column("System", false),
      ...["published", ...measured].map((heading) =>
        column(heading, true, heading === "median" ? 2 : 0)
      ),
      ...["p50 published", "p50", "p99 published", "p99"].map((heading) =>
        column(heading, true, 1)
      ),
      column("Bottleneck", false),
      column("Note", false, 3),
    ],
    rows: rows.map((row) => rowOf(row, kept, report)),
  });
}

/** Removes from a table the given columns that are empty. */
function withoutEmpty(headings: readonly string[], { columns, rows }: Table): Table {
  const stays = (i: number): boolean =>
    !headings.includes(columns[i]?.heading ?? "") ||
    rows.some(({ cells }) => ![undefined, "", UNKNOWN].includes(cells[i]));
  return {
    columns: columns.filter((_column, i) => stays(i)),
    rows: rows.map((row) => ({ ...row, cells: row.cells.filter((_cell, i) => stays(i)) })),
  };
}

function rowOf(row: PresetRow, kept: PresetTable["kept"], report: Report): Row {
  const { published, name } = row;
  const result = resultOf(row, report);
  const was = published === null ? UNKNOWN : rate(published.requestsPerS);
  const server = report.servers.find(({ id }) => id === row.id);
  const absence = server ? absenceOf(server, report) : null;
  if (absence !== null) return { cells: [name, was], rest: absence + asPublished(row) };
  if (result === undefined || result.requestsPerS === null) {
    const status = result === undefined
      ? withReason("not measured", "the server does not implement this")
      : oneLine(describeStatus(result));
    return { cells: [name, was], rest: status + asPublished(row) };
  }
  const { requestsPerS, isLowerBound, p50Us, p99Us, bottleneck } = result;
  const bound = isLowerBound ? "≥ " : "";
  return {
    cells: [
      name,
      was,
      ...(kept === "best" ? [`${bound}${rate(requestsPerS.max)}`] : []),
      `${bound}${rate(requestsPerS.median)}`,
      ...[published?.p50Ms, p50Us === null ? null : p50Us / 1000].map(ms),
      ...[published?.p99Ms, p99Us === null ? null : p99Us / 1000].map(ms),
      bottleneck?.kind ?? UNKNOWN,
      published?.note ?? "",
    ],
  };
}

/**
 * Returns the published latencies and note of a row that was not measured: such a row has no columns
 * for them.
 */
function asPublished({ published }: PresetRow): string {
  const { p50Ms = null, p99Ms = null, note = null } = published ?? {};
  const known = [
    p50Ms === null ? null : `p50 ${ms(p50Ms)}`,
    p99Ms === null ? null : `p99 ${ms(p99Ms)}`,
    note,
  ].filter((part) => part !== null);
  return known.length > 0 ? `; published: ${known.join(", ")}` : "";
}

function ms(value: number | null | undefined): string {
  return milliseconds(value === null || value === undefined ? null : 1000 * value);
}

/**
 * Returns sentences with the ratios of a table. Unlike rates, ratios are comparable between machines.
 */
function ratios(table: PresetTable, report: Report): string[] {
  return table.ratios.map(({ name, a, b }) =>
    ratio(name, measuredRow(table, a, report), measuredRow(table, b, report))
  );
}

/**
 * Returns sentences with the ratios between rows of different tables.
 *
 * @param reports the report of each table; null for a table that was not measured
 */
export function ratiosOfTables(preset: Preset, reports: readonly (Report | null)[]): string[] {
  const of = (end: RowOfTable): MeasuredRow => {
    const i = tableOf(preset, end);
    const table = preset.tables[i];
    return table ? measuredRow(table, end.row, reports[i] ?? null) : NOTHING;
  };
  return preset.ratios.map(({ name, a, b }) => ratio(name, of(a), of(b)));
}

/** The rates of a row for a ratio. A rate is null if it was not published, or not measured. */
interface MeasuredRow {
  readonly publishedPerS: number | null;
  readonly measuredPerS: number | null;
  readonly isLowerBound: boolean;
}
const NOTHING: MeasuredRow = { publishedPerS: null, measuredPerS: null, isLowerBound: false };

function measuredRow({ rows, kept }: PresetTable, id: string, report: Report | null): MeasuredRow {
  const row = rows.find((row) => row.id === id);
  if (row === undefined) return NOTHING;
  const result = report ? resultOf(row, report) : undefined;
  const estimate = result?.requestsPerS ?? null;
  return {
    publishedPerS: row.published?.requestsPerS ?? null,
    measuredPerS: estimate && (kept === "best" ? estimate.max : estimate.median),
    isLowerBound: result?.isLowerBound ?? false,
  };
}

function ratio(name: string, a: MeasuredRow, b: MeasuredRow): string {
  const measured = divide(a.measuredPerS, b.measuredPerS);
  const isBound = measured !== UNKNOWN && (a.isLowerBound || b.isLowerBound);
  const bound = a.isLowerBound && b.isLowerBound ? "~ " : a.isLowerBound ? "≥ " : "≤ ";
  return `${name}: published ${divide(a.publishedPerS, b.publishedPerS)}, measured ${
    isBound ? bound : ""
  }${measured}`;
}

function divide(a: number | null, b: number | null): string {
  return a && b ? fixed(a / b, 2) : UNKNOWN;
}

function resultOf(row: PresetRow, report: Report): Result | undefined {
  return report.results.find(({ variant }) => variant === row.id);
}
