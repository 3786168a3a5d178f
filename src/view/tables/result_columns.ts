/** Defines the columns of results. */
import { sharesRank } from "../../analysis/rankings.ts";
import { isSweep } from "../../analysis/workloads.ts";
import type { Estimate, Result } from "../../model/derived.ts";
import { type MedianWithInterval, relativeWidth } from "../../model/estimate.ts";
import type { Report } from "../../model/report.ts";
import {
  bareMilliseconds,
  markedRate,
  mebibytes,
  microseconds,
  multiple,
  rate,
  spread,
  UNKNOWN,
} from "../format.ts";
import { describeReason } from "../reasons.ts";
import type { Column, Value } from "../table.ts";

/** A column with the functions that return its value and text for a valid result. */
export interface ResultColumn extends Column {
  readonly key: string;
  readonly value: (result: Result) => Value;
  readonly text: (result: Result) => string;
  /** Returns the function for the text, if the text depends on other results of the report. */
  readonly textIn?: (report: Report) => (result: Result) => string;
  /** Whether this report shows the column; by default it does. */
  readonly isWanted?: (report: Report) => boolean;
  /** Whether the brief table shows the column; by default it does. */
  readonly isBrief?: (report: Report) => boolean;
}

const several = ({ experiment }: Report): boolean => experiment.variants.length > 1;
const hasRelativeCpu = ({ results }: Report): boolean =>
  results.some(({ relativeCpu }) => relativeCpu !== null);
const hasNoRelativeCpu = (report: Report): boolean => !hasRelativeCpu(report);
const never = (): boolean => false;
const low = (estimate: Estimate | null): Value => estimate?.confidenceInterval?.low ?? null;
const high = (estimate: Estimate | null): Value => estimate?.confidenceInterval?.high ?? null;

/**
 * All columns, from left to right. Hidden ones are only for machines (CSV). Narrow outputs drop the
 * column of an interval only together with its figure.
 */
export const COLUMNS: readonly ResultColumn[] = [
  { ...word("server", "Server", 0, ({ variant }) => variant), isWanted: several },
  word("scenario", "Scenario", 0, ({ scenario }) => scenario),
  {
    ...number("connections", "Conns", 0, ({ connections }) => connections, String),
    isWanted: ({ results }) => isSweep(results.filter(({ perS }) => perS === null)),
  },
  {
    ...number("asked_per_s", "Rate/s", 0, ({ perS }) => perS, rate),
    isWanted: ({ results }) => results.some(({ perS }) => perS !== null),
  },
  hidden("status", ({ status }) => status),
  hidden("reason", ({ reason }) => reason && describeReason(reason)),
  hidden("rounds", ({ rounds }) => rounds),
  hidden("failed_rounds", ({ failedRounds }) => failedRounds),
  {
    ...number("rank", "Rank", 3, ({ rank }) => rank, String),
    textIn: (report) => (result) => rankText(result, report),
    isWanted: several,
  },
  {
    ...number("requests_per_s", "Req/Sec", 0, ({ requestsPerS }) => requestsPerS?.median, rate),
    text: (result) =>
      result.requestsPerS ? markedRate(result.requestsPerS.median, result) : UNKNOWN,
  },
  hidden("requests_per_s_low", ({ requestsPerS }) => low(requestsPerS)),
  hidden("requests_per_s_high", ({ requestsPerS }) => high(requestsPerS)),
  hidden("is_lower_bound", ({ isLowerBound }) => isLowerBound),
  hidden("is_taken_over", ({ isTakenOver }) => isTakenOver),
  width("requests_per_s_half_width", 1, ({ requestsPerS }) => requestsPerS),
  {
    ...number("per_core", "per core", 6, (result) => result.capacityPerCore, (n) => `~ ${rate(n)}`),
    isWanted: ({ results }) => results.some(({ capacityPerCore }) => capacityPerCore !== null),
    isBrief: never,
  },
  {
    ...number("server_cpu_us", "CPU/req", 2, (result) => result.serverCpuUs?.median, microseconds),
    isBrief: hasNoRelativeCpu,
  },
  hidden("server_cpu_us_low", ({ serverCpuUs }) => low(serverCpuUs)),
  hidden("server_cpu_us_high", ({ serverCpuUs }) => high(serverCpuUs)),
  {
    ...width("server_cpu_us_half_width", 2, ({ serverCpuUs }) => serverCpuUs),
    isBrief: hasNoRelativeCpu,
  },
  {
    ...number("relative_cpu", "Rel. CPU", 2, ({ relativeCpu }) => relativeCpu?.ratio, multiple),
    isWanted: hasRelativeCpu,
  },
  hidden("relative_cpu_low", ({ relativeCpu }) => relativeCpu?.confidenceInterval?.low ?? null),
  hidden("relative_cpu_high", ({ relativeCpu }) => relativeCpu?.confidenceInterval?.high ?? null),
  {
    ...width(
      "relative_cpu_half_width",
      2,
      ({ relativeCpu }) => relativeCpu && { ...relativeCpu, median: relativeCpu.ratio },
    ),
    isWanted: hasRelativeCpu,
  },
  number("p50_us", "p50 ms", 5, ({ p50Us }) => p50Us, bareMilliseconds),
  number("p99_us", "p99 ms", 4, ({ p99Us }) => p99Us, bareMilliseconds),
  {
    ...number(
      "probe_p99_us",
      "probe p99",
      7,
      (result) => result.probe?.p99Us,
      bareMilliseconds,
    ),
    isBrief: never,
  },
  {
    ...number("peak_rss_bytes", "RSS", 7, ({ peakRssBytes }) => peakRssBytes, mebibytes),
    isBrief: never,
  },
  word("bottleneck", "Bottleneck", 0, ({ bottleneck }) => bottleneck?.kind ?? null),
  {
    ...number("errors", "Errors", 3, errorsOf, String),
    text: errors,
    isWanted: ({ results }) => results.some((result) => errorsOf(result) > 0),
  },
  hidden("responses", ({ responses }) => responses),
];

function word(
  key: string,
  heading: string,
  dropOrder: number,
  value: (result: Result) => string | null,
): ResultColumn {
  const text = (result: Result): string => value(result) ?? UNKNOWN;
  return { key, heading, dropOrder, isNumber: false, value, text };
}

function number(
  key: string,
  heading: string,
  dropOrder: number,
  value: (result: Result) => number | null | undefined,
  format: (value: number) => string,
): ResultColumn {
  const known = (result: Result): number | null => value(result) ?? null;
  const text = (result: Result): string => {
    const number = known(result);
    return number === null ? UNKNOWN : format(number);
  };
  return { key, heading, dropOrder, isNumber: true, value: known, text };
}

/**
 * Returns a column ±: half of an interval as a share of the median, or both sides if it is lopsided.
 */
function width(
  key: string,
  dropOrder: number,
  of: (result: Result) => MedianWithInterval | null,
): ResultColumn {
  return {
    ...number(key, "±", dropOrder, (result) => relativeWidth(of(result)), String),
    text: (result) => spread(of(result)),
  };
}

/**
 * Returns the rank, with `=` if several servers share it. Otherwise a space follows, so that the
 * numbers are aligned.
 */
function rankText(result: Result, report: Report): string {
  if (result.rank === null) return UNKNOWN;
  return sharesRank(report, result) ? `${result.rank}=` : `${result.rank} `;
}

/** Returns a column that is only for machines: tables for people do not show it. */
function hidden(key: string, value: (result: Result) => Value): ResultColumn {
  return {
    key,
    heading: key,
    dropOrder: Infinity,
    isNumber: true,
    value,
    text: (result) => String(value(result) ?? UNKNOWN),
    isWanted: () => false,
  };
}

/** Returns the errors of a valid result, marked with `!`. */
function errors(result: Result): string {
  const count = errorsOf(result);
  return count === 0 ? "0" : `! ${count} of ${result.responses.toLocaleString("en-US")}`;
}

function errorsOf({ errors }: Result): number {
  return errors.transport + (errors.timeout ?? 0) + errors.non2xx + errors.probe;
}
