/** Parsers for the values of options. */

import { InvalidArgumentError } from "commander";
import { parseSlo } from "../../experiment/durations.ts";
import type { Rates } from "../../experiment/kinds.ts";
import { UsageError } from "../../model/errors.ts";
import type { Slo } from "../../model/experiment.ts";
import { LEAST_RATE, MOST_RATE } from "../../model/limits.ts";

/** Names of all commands. */
export const COMMAND_NAMES = [
  "run",
  "capacity",
  "compare",
  "versus",
  "report",
  "history",
  "export",
  "import",
  "site",
  "verify",
  "faults",
  "doctor",
  "noise",
  "generators",
  "list",
  "serve",
  "init",
  "new",
  "completions",
  "clean-database",
] as const;
export type CommandName = typeof COMMAND_NAMES[number];

/** The commands that measure. */
export const MEASURING: readonly CommandName[] = [
  "run",
  "capacity",
  "noise",
  "generators",
  "versus",
];

/** The commands that measure in rounds and add rounds until intervals are narrow. */
export const IN_ROUNDS: readonly CommandName[] = ["run", "noise", "generators", "versus"];

/** A text about an option: `else` for all commands without a separate text. */
export type TextOfCommand = Readonly<{ else: string } & { [command in CommandName]?: string }>;

/** One option: its commands, parser, default and help text. */
export interface OptionSpec {
  readonly flags: string;
  readonly help: string | TextOfCommand;
  /** Text in `bench --help`, for the ten options of `run` that people use first. */
  readonly brief?: string;
  readonly commands: readonly CommandName[];
  /** Environment variable that also sets the option; the flag takes precedence. */
  readonly env?: string;
  readonly fallback?: unknown;
  /** The default under --quick, if it differs. */
  readonly quick?: unknown;
  /** The default in words, if its value is not clear enough, or if it depends on the command. */
  readonly fallbackText?: string | TextOfCommand;
  readonly choices?: readonly string[];
  /** Parses the value; `previous` is the parsed value of an earlier occurrence of the option. */
  readonly parse?: (text: string, previous: unknown) => unknown;
}

/**
 * Highest --rate in percent of the slowest server's rate in a closed loop: enough to see how a server
 * behaves in overload.
 */
const MOST_SHARE = 200;

/** Appends a value of a repeatable option to its earlier values. */
export function append(text: string, previous: unknown): string[] {
  return [...(previous as string[] | undefined ?? []), text];
}

/** Returns a parser for whole numbers from `min` to `max`. */
export function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/**
 * Returns a parser for a list of numbers separated by commas. It sorts them and removes duplicates.
 */
export function list(parse: (text: string) => number): (text: string) => number[] {
  return (text) =>
    [...new Set(text.split(",").map((part) => parse(part.trim())))].sort((a, b) => a - b);
}

/**
 * Returns a parser for a list of these words, separated by commas. It puts them in the order of
 * `words`.
 */
export function choices<T extends string>(words: readonly T[]): (text: string) => T[] {
  return (text) => {
    const asked = text.split(",").map((part) => part.trim());
    const unknown = asked.find((word) => !words.some((known) => known === word));
    if (unknown !== undefined) {
      throw new InvalidArgumentError(`There is no "${unknown}": choose from ${words.join(", ")}.`);
    }
    return words.filter((word) => asked.includes(word));
  };
}

/** Matches a decimal number. `Number()` accepts more, such as "0x10". */
const DECIMAL = /^(\d+(\.\d*)?|\.\d+)$/;

/** Seconds per unit. */
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, min: 60, h: 3600 };
/** Matches one number with its unit in a time: `1m` in `1m30s`. */
const PART = /(\d+(?:\.\d*)?|\.\d+)\s*(ms|min|s|m|h)/g;

/** Returns a parser for seconds from `min` to `max`, with or without units: `10`, `10s`, `1m30s`. */
export function seconds(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = secondsOf(text.trim());
    if (value === null || value < min || value > max) {
      throw new InvalidArgumentError(
        `It must be a number of seconds from ${min} to ${max}, or a time such as 10s or 1m.`,
      );
    }
    return value;
  };
}

/** Parses a time as seconds; returns null if the text is not a time. */
function secondsOf(text: string): number | null {
  if (DECIMAL.test(text)) return Number(text);
  const parts = [...text.matchAll(PART)];
  if (parts.length === 0 || text.replaceAll(PART, "").trim() !== "") return null;
  return parts.reduce(
    (sum, [, number, unit = ""]) => sum + Number(number) * (UNITS[unit] ?? NaN),
    0,
  );
}

/** Parses a rate in requests per second: `500`, `0.5/s`. */
function perSecond(text: string): number {
  const digits = text.replace(/\s*\/s$/, "").trim();
  const value = Number(digits);
  if (!DECIMAL.test(digits) || !(value >= LEAST_RATE && value <= MOST_RATE)) {
    throw new InvalidArgumentError(
      `It must be a number of requests per second from ${LEAST_RATE} to ${MOST_RATE}.`,
    );
  }
  return value;
}

/** Parses rates and shares of the slowest server's rate: `100,2000/s,50%`. */
export function rates(text: string): Rates {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.includes("")) perSecond(""); // throws
  const [shares, perS] = [true, false].map((isShare) =>
    parts.filter((part) => part.endsWith("%") === isShare).join()
  );
  return {
    perS: perS === "" && shares !== "" ? [] : list(perSecond)(perS ?? ""),
    shares: shares === "" ? [] : list(percent(1, MOST_SHARE))(shares ?? ""),
  };
}

/** Parses an SLO: `p99<10ms,errors<0.1%`. */
export function slo(text: string): Slo {
  try {
    return parseSlo(text);
  } catch (error) {
    if (error instanceof UsageError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/**
 * Returns a parser for percentages from `min` to `max`, with or without `%`. It converts them to
 * shares: `5%` is 0.05.
 */
export function percent(min: number, max: number): (text: string) => number {
  return (text) => {
    const digits = text.replace(/\s*%$/, "").trim();
    const value = Number(digits);
    if (!DECIMAL.test(digits) || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be a percentage from ${min} to ${max}, such as 5%.`);
    }
    return value / 100;
  };
}
