import type { Estimate, Result } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import type { Preset, PresetRow, PresetTable, RowOfTable } from "../../model/preset.ts";
import { tableOf } from "../../model/preset.ts";
import { fixed, nonEmpty, oneLine, UNKNOWN } from "../../model/text.ts";
import { distinct, markedRate, milliseconds, rate } from "../format.ts";
import { markdownList, markdownTable, markdownText } from "../markdown.ts";
import { describeStatus, withReason } from "../reasons.ts";
import { environment } from "../environment_text.ts";
import { absences } from "./result_columns.ts";
import { draw, makeTable, numbers, type Screen, type Table, words } from "../table.ts";

/** Returns published and measured figures, and the ratios, in lines that fit the screen. */
export function describePreset(table: PresetTable, report: Report, screen: Screen): string[] {
  return [
    "",
    `${table.title} (${howLoaded(table, report)})`,
    ...draw(presetTable(table, report), screen),
    ...ratios(table, report),
  ];
}

/** Returns the measured tables of a preset as Markdown. The others have no report. */
export function presetMarkdown(preset: Preset, reports: readonly (Report | null)[]): string {
  const tables = preset.tables.flatMap((table, i) => {
    const report = reports[i];
    if (!report) return [];
    return [
      `#### ${markdownText(table.title)}\n`,
      `Measured on ${report.createdAt.slice(0, 10)}: ${howLoaded(table, report)}.\n`,
      `${markdownTable(presetTable(table, report))}\n`,
      ...markdownList([...ratios(table, report), ...environment(report)]),
      "",
    ];
  });
  const across = markdownList(ratiosOfTables(preset, reports));
  return [`### ${markdownText(preset.title)}\n`, ...tables, ...across].join("\n") + "\n";
}

function howLoaded(table: PresetTable, { experiment: { variants } }: Report): string {
  const { tool, runs } = table;
  const generator = distinct(variants.map((variant) => variant.generator)).join(", ");
  const load = table.requests === null ? `${table.seconds} s` : `${table.requests} requests`;
  const times = runs === 1 ? "once" : `${runs} times`;
  const why = generator === tool ? "" : `, because ${tool} is not installed`;
  return `${load} over ${table.connections} connections, ${times}, with ${generator}${why}`;
}

/** Returns published and measured rates: the median, and the best run if that was published. */
export function presetTable({ rows, kept }: PresetTable, report: Report): Table {
  const isBest = kept === "best";
  const measured =
    (format: (result: Result, requestsPerS: Estimate) => string) => (row: PresetRow): string => {
      const result = resultOf(row, report);
      return result?.requestsPerS ? format(result, result.requestsPerS) : "";
    };
  const best = measured((result, { max }) => markedRate(max, result));
  const median = measured((result, { median }) => markedRate(median, result));
  const published = ({ published }: PresetRow): string => rate(published?.requestsPerS ?? null);
  const present = rows.filter((row) => whyAbsent(row, report) === null);
  const isPublished = (figure: "p50Ms" | "p99Ms" | "note"): boolean =>
    present.some(({ published }) => published && published[figure] !== null);
  return makeTable(rows, [
    words("System", ({ name }) => name),
    numbers("published", published),
    isBest && numbers("measured, best", best),
    isBest ? numbers("median", median, 2) : numbers("measured", median),
    isPublished("p50Ms") && numbers("p50 published", ({ published }) => ms(published?.p50Ms), 1),
    numbers("p50", measured(({ p50Us }) => milliseconds(p50Us)), 1),
    isPublished("p99Ms") && numbers("p99 published", ({ published }) => ms(published?.p99Ms), 1),
    numbers("p99", measured(({ p99Us }) => milliseconds(p99Us)), 1),
    words("Bottleneck", measured(({ bottleneck }) => bottleneck?.kind ?? UNKNOWN)),
    isPublished("note") && words("Note", ({ published }) => published?.note ?? "", 3),
  ], (row) => {
    const absence = whyAbsent(row, report);
    if (absence === null) return {};
    return { cells: [row.name, published(row)], rest: absence + asPublished(row) };
  });
}

function whyAbsent(row: PresetRow, report: Report): string | null {
  const absence = absences(report).get(row.id);
  if (absence !== undefined) return absence;
  const result = resultOf(row, report);
  if (!result) return withReason("not measured", "the server does not implement this");
  return result.requestsPerS === null ? oneLine(describeStatus(result)) : null;
}

/** Returns the published latencies and note of a row that was not measured: it has no such columns. */
function asPublished({ published }: PresetRow): string {
  const { p50Ms = null, p99Ms = null, note = null } = published ?? {};
  const known = nonEmpty(
    p50Ms !== null && `p50 ${ms(p50Ms)}`,
    p99Ms !== null && `p99 ${ms(p99Ms)}`,
    note,
  );
  return known.length > 0 ? `; published: ${known.join(", ")}` : "";
}

function ms(value: number | null | undefined): string {
  return milliseconds(typeof value === "number" ? 1000 * value : null);
}

/** Returns the ratios of a table as sentences. Unlike rates, ratios are comparable between machines. */
function ratios(table: PresetTable, report: Report): string[] {
  const of = (id: string): MeasuredRow => measuredRow(table, id, report);
  return table.ratios.map(({ name, a, b }) => ratio(name, of(a), of(b)));
}

/** Returns the ratios between rows of different tables. A table without report was not measured. */
export function ratiosOfTables(preset: Preset, reports: readonly (Report | null)[]): string[] {
  const of = (end: RowOfTable): MeasuredRow => {
    const i = tableOf(preset, end);
    return measuredRow(preset.tables[i], end.row, reports[i]);
  };
  return preset.ratios.map(({ name, a, b }) => ratio(name, of(a), of(b)));
}

/** The rates of a row for a ratio. A rate is undefined if it was not published, or not measured. */
interface MeasuredRow {
  readonly publishedPerS: number | undefined;
  readonly measuredPerS: number | undefined;
  readonly isLowerBound: boolean;
}

function measuredRow(
  table: PresetTable | undefined,
  id: string,
  report: Report | null | undefined,
): MeasuredRow {
  const row = table?.rows.find((row) => row.id === id);
  const result = row && report ? resultOf(row, report) : undefined;
  return {
    publishedPerS: row?.published?.requestsPerS,
    measuredPerS: result?.requestsPerS?.[table?.kept === "best" ? "max" : "median"],
    isLowerBound: result?.isLowerBound ?? false,
  };
}

function ratio(name: string, a: MeasuredRow, b: MeasuredRow): string {
  const published = divide(a.publishedPerS, b.publishedPerS);
  const measured = divide(a.measuredPerS, b.measuredPerS);
  const isBound = measured !== UNKNOWN && (a.isLowerBound || b.isLowerBound);
  const mark = a.isLowerBound && b.isLowerBound ? "~ " : a.isLowerBound ? "≥ " : "≤ ";
  return `${name}: published ${published}, measured ${isBound ? mark : ""}${measured}`;
}

function divide(a: number | undefined, b: number | undefined): string {
  return a && b ? fixed(a / b, 2) : UNKNOWN;
}

function resultOf(row: PresetRow, report: Report): Result | undefined {
  return report.results.find(({ variant }) => variant === row.id);
}
