/** The columns of results. Those of figures follow from their declarations in src/model/figures.ts. */
import { isSameWorkload, isSweep, type Workload, workloadOf } from "../../analysis/keys.ts";
import { inOrder, rankingsOf, sharesRank } from "../../analysis/rankings.ts";
import type { Result } from "../../model/derived.ts";
import { type MedianWithInterval, relativeWidth } from "../../model/estimate.ts";
import { type Figure, FIGURE_IDS, type FigureId, FIGURES } from "../../model/figures.ts";
import type { Report } from "../../model/report.ts";
import { oneLine, UNKNOWN } from "../../model/text.ts";
import { bareMilliseconds, FORMATS, markedRate, rate, spread, workloadNamer } from "../format.ts";
import { describeRanking } from "../titles.ts";
import { describeReason, describeStatus, withReason } from "../reasons.ts";
import type { CellColumn, Row, Table, Value } from "../table.ts";
import { intervals, numbers, words } from "../table.ts";

interface CsvColumn {
  readonly key: string;
  readonly value: (result: Result) => Value;
}

/** A column in tables and in CSV. Its text is that of a valid result. */
interface ResultColumn extends CellColumn<Result>, CsvColumn {
  readonly textIn?: (report: Report) => (result: Result) => string;
  readonly isWanted?: (report: Report) => boolean;
  readonly omittedInBrief?: NonNullable<Figure["column"]>["omittedInBrief"];
}

const several = ({ experiment }: Report): boolean => experiment.variants.length > 1;

/** Texts of figures with marks. The others follow from their format. */
const TEXTS: { readonly [K in FigureId]?: (figure: number, result: Result) => string } = {
  requestsPerS: markedRate,
  capacityPerCore: (perS) => `~ ${rate(perS)}`,
};

const AFTER: { readonly [K in FigureId]?: readonly (CsvColumn | ResultColumn)[] } = {
  requestsPerS: [
    { key: "is_lower_bound", value: ({ isLowerBound }) => isLowerBound },
    { key: "is_taken_over", value: ({ isTakenOver }) => isTakenOver },
  ],
  p99Us: [
    number("probe_p99_us", "probe p99", 7, (result) => result.probe?.p99Us, bareMilliseconds, {
      legend: "99th percentile of the probe's response times, from the scheduled send time, in ms",
      omittedInBrief: "always",
    }),
  ],
};

/** All columns, from left to right. Only those with a heading are in tables. */
export const COLUMNS: readonly (CsvColumn | ResultColumn)[] = [
  word("server", "Server", ({ variant }) => variant, { isWanted: several }),
  word("scenario", "Scenario", ({ scenario }) => scenario),
  number("connections", "Conns", 0, ({ connections }) => connections, String, {
    isWanted: ({ results }) => isSweep(results.filter(({ perS }) => perS === null)),
  }),
  number("asked_per_s", "Rate/s", 0, ({ perS }) => perS, rate, {
    isWanted: ({ results }) => results.some(({ perS }) => perS !== null),
  }),
  { key: "status", value: ({ status }) => status },
  { key: "reason", value: ({ reason }) => reason && describeReason(reason) },
  { key: "rounds", value: ({ rounds }) => rounds },
  { key: "failed_rounds", value: ({ failedRounds }) => failedRounds },
  number("rank", "Rank", 3, ({ rank }) => rank, String, {
    // A space instead of = aligns the numbers
    textIn: (report) => (result) =>
      result.rank === null ? UNKNOWN : `${result.rank}${sharesRank(report, result) ? "=" : " "}`,
    isWanted: several,
  }),
  ...FIGURE_IDS.flatMap((id) => [...figureColumns(id), ...AFTER[id] ?? []]),
  word("bottleneck", "Bottleneck", ({ bottleneck }) => bottleneck?.kind ?? null),
  number("errors", "Errors", 3, errorsOf, shareOfResponses, {
    isWanted: ({ results }) => results.some((result) => errorsOf(result) > 0),
  }),
  { key: "responses", value: ({ responses }) => responses },
];

/** Returns the columns of a figure and its interval. Narrow outputs drop ± no later than the figure. */
function figureColumns(id: FigureId): (CsvColumn | ResultColumn)[] {
  const { key, kind, column: shown }: Figure = FIGURES[id];
  const of = (result: Result): MedianWithInterval | null => {
    const figure = result[id];
    if (typeof figure === "number") return { median: figure, confidenceInterval: null };
    return figure && ("ratio" in figure ? { ...figure, median: figure.ratio } : figure);
  };
  const value = (result: Result): number | null => of(result)?.median ?? null;
  const interval: CsvColumn[] = kind === "number" ? [] : [
    { key: `${key}_low`, value: (result) => of(result)?.confidenceInterval?.low ?? null },
    { key: `${key}_high`, value: (result) => of(result)?.confidenceInterval?.high ?? null },
  ];
  if (shown === undefined) return [{ key, value }, ...interval];
  const { heading, legend, format, dropOrder, omittedInBrief } = shown;
  const isInMs = format === "milliseconds";
  const text = TEXTS[id] ?? (isInMs ? bareMilliseconds : FORMATS[format]);
  const own = number(key, isInMs ? `${heading} ms` : heading, dropOrder, value, text, {
    legend,
    omittedInBrief,
  });
  const half: ResultColumn = {
    ...intervals((result) => spread(of(result)), Math.max(1, dropOrder)),
    key: `${key}_half_width`,
    value: (result) => relativeWidth(of(result)),
    omittedInBrief,
  };
  return [own, ...interval, ...(kind === "number" ? [] : [half])];
}

type Optional = Pick<ResultColumn, "legend" | "textIn" | "isWanted" | "omittedInBrief">;

function word(
  key: string,
  heading: string,
  value: (result: Result) => string | null,
  optional: Optional = {},
): ResultColumn {
  return { ...words(heading, (result) => value(result) ?? UNKNOWN), key, value, ...optional };
}

function number(
  key: string,
  heading: string,
  dropOrder: number,
  valueOf: (result: Result) => number | null | undefined,
  format: (value: number, result: Result) => string,
  optional: Optional = {},
): ResultColumn {
  const value = (result: Result): number | null => valueOf(result) ?? null;
  const text = (result: Result): string => {
    const known = value(result);
    return known === null ? UNKNOWN : format(known, result);
  };
  return { ...numbers(heading, text, dropOrder), key, value, ...optional };
}

function errorsOf({ errors }: Result): number {
  return errors.transport + (errors.timeout ?? 0) + errors.non2xx + errors.probe;
}

function shareOfResponses(errors: number, { responses }: Result): string {
  return errors === 0 ? "0" : `! ${errors} of ${responses.toLocaleString("en-US")}`;
}

/** Keys of the columns that come before the reason in the row of a result without figures. */
const NAMES = ["server", "scenario", "connections", "asked_per_s", "rank"];
/** Keys of the columns that are shown even if they are empty. */
const ALWAYS = ["server", "scenario", "rank", "requests_per_s", "bottleneck"];

/** Returns a row for each result, the best server first; servers without figures come last. */
export function summaryTable(report: Report, isWide: boolean): Table {
  const columns = columnsOf(report, isWide);
  const absent = absences(report);
  const rows = inOrder(report, report.results.filter(({ variant }) => !absent.has(variant))).flat()
    .map((result) => rowOf(result, columns));
  const isNamed = several(report);
  const missing = absent.entries()
    .map(([server, rest]) => ({ cells: isNamed ? [server] : [], rest, server }));
  return { columns, rows: [...rows, ...missing] };
}

/** Keys of the columns with another place: rank and server come first, the others head a group. */
const ELSEWHERE = ["server", "scenario", "connections", "rank"];

/** Returns a group of rows for each workload: the proven order in sentences, then the servers. */
export function rankedTable(report: Report): Table {
  const absent = absences(report);
  const results = report.results.filter(({ variant }) => !absent.has(variant));
  const rankings = rankingsOf(report);
  const named = workloadNamer(results);
  const known = columnsOf(report, false);
  const columns = [
    ...known.filter(({ key }) => key === "rank"),
    ...known.filter(({ key }) => key === "server"),
    ...known.filter(({ key }) => !ELSEWHERE.includes(key)),
  ];
  const blocks = inOrder(report, results).flatMap((group): Row[] => {
    const workload = named(group[0]);
    const orders = rankings.filter((ranking) => isSameWorkload(ranking, group[0]))
      .map((ranking) => `${workload}: ${describeRanking(ranking)}`);
    const headings = orders.length === 0 ? [workload] : orders;
    return [
      ...headings.map((rest) => ({ cells: [], rest })),
      ...group.map((result) => rowOf(result, columns)),
    ];
  });
  const missing = [...absent].map(([server, rest]) => ({ cells: [UNKNOWN, server], rest, server }));
  return { columns, rows: [...blocks, ...missing] };
}

/** Keys of the columns of {@linkcode standingsOf}. */
const STANDING = [
  "server",
  "rank",
  "requests_per_s",
  "requests_per_s_half_width",
  "relative_rate",
  "relative_rate_half_width",
  "server_cpu_us",
  "server_cpu_us_half_width",
  "relative_cpu",
  "relative_cpu_half_width",
  "p99_us",
  "bottleneck",
];

/** The servers of a report at one workload, the best first. */
export interface Standings extends Workload {
  /** The columns; the rows have the same for every report. */
  readonly columns: Table["columns"];
  readonly rows: readonly Standing[];
}

/** The row of a server, with its rate and the one relative to the reference; null if it is unknown. */
export interface Standing extends Row {
  readonly server: string;
  readonly rate: number | null;
  readonly relativeRate: number | null;
}

/** Returns the results of a report by workload, with the same columns for every report. */
export function standingsOf(report: Report): Standings[] {
  const columns = COLUMNS.filter((column) => "heading" in column)
    .filter(({ key }) => STANDING.includes(key))
    .map((column) => ({ ...column, text: column.textIn?.(report) ?? column.text }));
  const absent = absences(report);
  const results = report.results.filter(({ variant }) => !absent.has(variant));
  return inOrder(report, results).map((group) => ({
    ...workloadOf(group[0]),
    columns,
    rows: group.map((result) => ({
      ...rowOf(result, columns),
      server: result.variant,
      rate: result.requestsPerS?.median ?? null,
      relativeRate: result.relativeRate?.ratio ?? null,
    })),
  }));
}

function columnsOf(report: Report, isWide: boolean): readonly ResultColumn[] {
  const { results } = report;
  const ok = results.filter(({ status }) => status === "ok");
  const hasRelativeCpu = results.some(({ relativeCpu }) => relativeCpu !== null);
  return COLUMNS.filter((column) => "heading" in column)
    .filter(({ isWanted }) => isWanted?.(report) ?? true)
    .filter(({ omittedInBrief: omitted }) =>
      isWide || omitted !== "always" && !(omitted === "with relative CPU" && hasRelativeCpu)
    )
    .filter(({ key, text }) => ALWAYS.includes(key) || ok.some((one) => text(one) !== UNKNOWN))
    .map((column) => ({ ...column, text: column.textIn?.(report) ?? column.text }));
}

/** Returns the servers without any figure, with the reason, if it is the same at all scenarios. */
export function absences({ servers, results }: Report): ReadonlyMap<string, string> {
  return new Map(servers.flatMap(({ id, skipped, failure }) => {
    if (skipped !== null) return [[id, withReason("skipped", skipped)]];
    if (failure !== null) return [[id, withReason("failed", failure)]];
    const own = results.filter(({ variant }) => variant === id);
    const [text = "", ...others] = new Set(own.map(describeStatus));
    const isOne = own.length > 1 && others.length === 0;
    return isOne && own[0]?.status === "failed" ? [[id, oneLine(text)]] : [];
  }));
}

function rowOf(result: Result, columns: readonly ResultColumn[]): Row {
  const { status, isLowerBound, variant: server } = result;
  const values = columns.map(({ value }) => value(result));
  if (status !== "ok") {
    const names = columns.filter(({ key }) => NAMES.includes(key));
    const rest = oneLine(describeStatus(result));
    return { cells: names.map(({ text }) => text(result)), rest, restTone: "bad", values, server };
  }
  const cells = columns.map(({ text }) => text(result));
  const leading = FIGURES[isLowerBound ? "serverCpuUs" : "requestsPerS"].column.heading;
  // A lower bound must catch the eye
  const tones = { ...(isLowerBound && { Bottleneck: "doubtful" as const }) };
  return { cells, leading, tones, values, server };
}
