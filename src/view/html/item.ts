import { isSameResult, isSweep, resultKeyOf } from "../../analysis/keys.ts";
import type { Result } from "../../model/derived.ts";
import type { TrialResult, WindowRecord } from "../../model/raw.ts";
import type { Report } from "../../model/report.ts";
import { rate } from "../format.ts";
import type { Chart } from "./chart.ts";

/** A result with what charts need to draw it. */
export interface Item {
  readonly result: Result;
  /**
   * The server's id. If the report has several loads, followed by the number of connections or the
   * rate.
   */
  readonly label: string;
  readonly color: string;
  /** Dash pattern of the result's lines. Lines thus differ in more than colour. */
  readonly dash: "solid" | "dashed" | "dotted";
  /** Number of cores of the machine. */
  readonly cores: number;
  /** The measured windows of the result, in the order of the rounds. */
  readonly windows: readonly { readonly round: number; readonly window: WindowRecord }[];
}

const NAME_LENGTH = 17;
const DASHES = ["solid", "dashed", "dotted"] as const;

/**
 * Returns the results of one scenario with figures, in the order of the servers and loads.
 *
 * @param servers all servers of the page, in the order of their colours
 */
export function itemsOf(
  { results, trialResults, host }: Report,
  scenario: string,
  servers: readonly string[],
): Item[] {
  const own = results.filter((result) => result.scenario === scenario && result.status === "ok");
  return servers.flatMap((variant, place) =>
    own.filter((result) => result.variant === variant).toSorted((a, b) =>
      a.connections - b.connections || (a.perS ?? 0) - (b.perS ?? 0)
    ).map((result, i): Item => ({
      result,
      label: !isSweep(results)
        ? variant
        : `${variant}, ${result.perS === null ? result.connections : `${rate(result.perS)}/s`}`,
      color: colorOf(place),
      cores: host.cores,
      dash: DASHES[(place + i) % DASHES.length] ?? "solid",
      windows: windowsOf(trialResults, result),
    }))
  );
}

/** Shortens a name in the middle. The end stays, because it may be a number of connections. */
export function shortName(name: string): string {
  if (name.length <= NAME_LENGTH) return name;
  return `${name.slice(0, NAME_LENGTH - 7)}…${name.slice(-6)}`;
}

/**
 * Maximum number of colours in a legend. With more, there is no legend: the filter of the page shows
 * the colours.
 */
const MOST_COLORS = 10;

/**
 * Returns the legend of a chart's colours; empty for one colour or more than {@linkcode MOST_COLORS}.
 */
export function legendOf(
  items: readonly { readonly label: string; readonly color: string }[],
): NonNullable<Chart["legend"]> {
  if (items.length < 2 || items.length > MOST_COLORS) return [];
  return items.map(({ label: name, color }) => ({ name, color }));
}

/** Returns the colour of a server by its place on the page; the style sheet defines it. */
export function colorOf(place: number): string {
  return `var(--server-${place})`;
}

function windowsOf(trialResults: readonly TrialResult[], result: Result): Item["windows"] {
  return trialResults.flatMap(({ trial, window }) =>
    window !== null && trial.purpose === "measure" && isSameResult(resultKeyOf(trial), result)
      ? [{ round: trial.round, window }]
      : []
  );
}
