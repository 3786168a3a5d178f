import type { Estimate, Result } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import {
  type Preset,
  type PresetRow,
  type PresetTable,
  type RowOfTable,
  tableOf,
} from "../../model/preset.ts";
import { fixed, oneLine, UNKNOWN } from "../../model/text.ts";
import { distinct, milliseconds, nonEmpty, rate } from "../format.ts";
import { markdownList, markdownTable, markdownText } from "../markdown.ts";
import { describeStatus, withReason } from "../reasons.ts";
import { environment } from "../environment_text.ts";
import { absences } from "./result_columns.ts";
import { draw, makeTable, numbers, type Screen, type Table, withColumns, words } from "../table.ts";

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
    return report
      ? [
        `#### ${markdownText(table.title)}\n`,
        `Measured on ${report.createdAt.slice(0, 10)}: ${howLoaded(table, report)}.\n`,
        `${markdownTable(presetTable(table, report))}\n`,
        ...markdownList([...ratios(table, report), ...environment(report)]),
        "",
      ]
      : [];
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
  const marked = (of: (estimate: Estimate) => number) =>
    measured(({ isLowerBound }, estimate) => `${isLowerBound ? "≥ " : ""}${rate(of(estimate))}`);
  const best = marked(({ max }) => max);
  const median = marked((estimate) => estimate.median);
  const published = ({ published }: PresetRow): string => rate(published?.requestsPerS ?? null);
  const table = makeTable(rows, [
    words("System", ({ name }) => name),
    numbers("published", published),
    isBest && numbers("measured, best", best),
    isBest ? numbers("median", median, 2) : numbers("measured", median),
    numbers("p50 published", ({ published }) => ms(published?.p50Ms), 1),
    numbers("p50", measured(({ p50Us }) => milliseconds(p50Us)), 1),
    numbers("p99 published", ({ published }) => ms(published?.p99Ms), 1),
    numbers("p99", measured(({ p99Us }) => milliseconds(p99Us)), 1),
    words("Bottleneck", measured(({ bottleneck }) => bottleneck?.kind ?? UNKNOWN)),
    words("Note", ({ published }) => published?.note ?? "", 3),
  ], (row) => {
    const absence = whyAbsent(row, report);
    return absence === null ? {} : {
      cells: [row.name, published(row)],
      rest: absence + asPublished(row),
    };
  });
  const isEmpty = (i: number): boolean =>
    table.rows.every(({ cells }) => [undefined, "", UNKNOWN].includes(cells[i]));
  const optional = ["p50 published", "p99 published", "Note"];
  const places = table.columns.flatMap(({ heading }, i) =>
    optional.includes(heading) && isEmpty(i) ? [] : i
  );
  return withColumns(table, places);
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
  return milliseconds(value === null || value === undefined ? null : 1000 * value);
}

/** Returns the ratios of a table as sentences. Unlike rates, ratios are comparable between machines. */
function ratios(table: PresetTable, report: Report): string[] {
  return table.ratios.map(({ name, a, b }) =>
    ratio(name, measuredRow(table, a, report), measuredRow(table, b, report))
  );
}

/** Returns the ratios between rows of different tables. A table without report was not measured. */
export function ratiosOfTables(preset: Preset, reports: readonly (Report | null)[]): string[] {
  const of = (end: RowOfTable): MeasuredRow => {
    const i = tableOf(preset, end);
    return measuredRow(preset.tables[i], end.row, reports[i]);
  };
  return preset.ratios.map(({ name, a, b }) => ratio(name, of(a), of(b)));
}

/** The rates of a row for a ratio. A rate is null if it was not published, or not measured. */
interface MeasuredRow {
  readonly publishedPerS: number | null;
  readonly measuredPerS: number | null;
  readonly isLowerBound: boolean;
}

function measuredRow(
  table: PresetTable | undefined,
  id: string,
  report: Report | null | undefined,
): MeasuredRow {
  const row = table?.rows.find((row) => row.id === id);
  const { requestsPerS = null, isLowerBound = false } = (row && report && resultOf(row, report)) ??
    {};
  return {
    publishedPerS: row?.published?.requestsPerS ?? null,
    measuredPerS: requestsPerS && requestsPerS[table?.kept === "best" ? "max" : "median"],
    isLowerBound,
  };
}

function ratio(name: string, a: MeasuredRow, b: MeasuredRow): string {
  const published = divide(a.publishedPerS, b.publishedPerS);
  const measured = divide(a.measuredPerS, b.measuredPerS);
  const isBound = measured !== UNKNOWN && (a.isLowerBound || b.isLowerBound);
  const mark = a.isLowerBound && b.isLowerBound ? "~ " : a.isLowerBound ? "≥ " : "≤ ";
  return `${name}: published ${published}, measured ${isBound ? mark : ""}${measured}`;
}

function divide(a: number | null, b: number | null): string {
  return a && b ? fixed(a / b, 2) : UNKNOWN;
}

function resultOf(row: PresetRow, report: Report): Result | undefined {
  return report.results.find(({ variant }) => variant === row.id);
}
