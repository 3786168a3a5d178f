/** The names of commands, the form of an option, and parsers of numbers. */
import { InvalidArgumentError } from "commander";

export const MEASURING = [
  "run",
  "capacity",
  "noise",
  "generators",
  "versus",
  "releases",
  "bisect",
] as const;

/** The commands, in the order of help. */
export const COMMAND_NAMES = [
  "run",
  "capacity",
  "compare",
  "versus",
  "releases",
  "bisect",
  "report",
  "history",
  "export",
  "import",
  "site",
  "verify",
  "work",
  "faults",
  "doctor",
  "noise",
  "generators",
  "list",
  "serve",
  "init",
  "new",
  "action",
  "completions",
  "clean",
  "clean-database",
] as const;
export type CommandName = typeof COMMAND_NAMES[number];

/** A text about an option: `else` for all commands without a separate text. */
type TextOfCommand = Readonly<{ else: string } & { [command in CommandName]?: string }>;

export interface OptionSpec {
  /** As commander reads them: `-c, --connections <n,...>`. */
  readonly flags: string;
  readonly group: string;
  readonly help: string | TextOfCommand;
  /** Text in `stampede --help`, for the ten options of `run` that people use first. */
  readonly brief?: string;
  readonly commands: readonly CommandName[];
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

export type OptionTable = Readonly<Record<string, Omit<OptionSpec, "flags" | "group">>>;

/** Returns a parser for whole numbers from `min` to `max`. */
export function whole(min: number, max: number): (text: string) => number {
  return checked((text) => /^\d+$/.test(text) ? Number(text) : NaN, min, max, "a whole number");
}

/** Returns a parser for seconds from `min` to `max`, with or without units: `10`, `10s`, `1m30s`. */
export function seconds(min: number, max: number): (text: string) => number {
  return checked(secondsOf, min, max, "a number of seconds", ", or a time such as 10s or 1m");
}

/** Returns a parser for requests per second from `min` to `max`: `500`, `0.5/s`. */
export function perSecond(min: number, max: number): (text: string) => number {
  const parse = (text: string): number => decimal(text.replace(/\s*\/s$/, "").trim());
  return checked(parse, min, max, "a number of requests per second");
}

/** Returns a parser that converts percentages from `min` to `max` to shares: `5%` and `5` are 0.05. */
export function percent(min: number, max: number): (text: string) => number {
  const parse = (text: string): number => decimal(text.replace(/\s*%$/, "").trim());
  const percentage = checked(parse, min, max, "a percentage", ", such as 5%");
  return (text) => percentage(text) / 100;
}

function checked(
  parse: (text: string) => number,
  min: number,
  max: number,
  kind: string,
  example = "",
): (text: string) => number {
  return (text) => {
    const value = parse(text);
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be ${kind} from ${min} to ${max}${example}.`);
  };
}

/** Parses a decimal number; returns NaN for other texts, such as "0x10", which `Number()` accepts. */
function decimal(text: string): number {
  return /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN;
}

/** Seconds per unit. */
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, min: 60, h: 3600 };
/** Matches one number with its unit: `1m` in `1m30s`. */
const PART = /(\d+(?:\.\d*)?|\.\d+)\s*(ms|min|s|m|h)/g;

function secondsOf(text: string): number {
  const parts = [...text.matchAll(PART)];
  if (parts.length === 0 || text.replaceAll(PART, "").trim() !== "") return decimal(text.trim());
  return parts.reduce(
    (sum, [, number, unit = ""]) => sum + Number(number) * (UNITS[unit] ?? NaN),
    0,
  );
}

/** Returns a parser for numbers separated by commas. It sorts them and removes duplicates. */
export function list(parse: (text: string) => number): (text: string) => number[] {
  return (text) =>
    [...new Set(text.split(",").map((part) => parse(part.trim())))].sort((a, b) => a - b);
}
