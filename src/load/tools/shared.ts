/** What the tools have in common; above all to take what must be there, and to say what is not. */
import type { ToolOutput } from "./tool.ts";

/**
 * What a tool says when it has gone wrong.
 *
 * @throws {SyntaxError} with the last line that it printed, unless its exit code is 0.
 */
export function demandSuccess(id: string, { exitCode, stdout, stderr }: ToolOutput): void {
  if (exitCode === 0) return;
  const last = (stderr.trim() || stdout.trim()).split("\n").at(-1) || "without a word";
  throw new SyntaxError(`${id} ended with exit code ${exitCode}: ${last}`);
}

/**
 * A JSON text's value.
 *
 * @throws {SyntaxError} naming whose it is, if it is none.
 */
export function parseJson(id: string, text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    throw new SyntaxError(`${id} printed no whole JSON`);
  }
}

/**
 * The number that the pattern's only group matches.
 *
 * @throws {SyntaxError} naming what is missing.
 */
export function numberIn(text: string, pattern: RegExp, what: string): number {
  return toNumber(pattern.exec(text)?.[1], what);
}

/**
 * As {@linkcode numberIn}, but a tool that has nothing to count leaves out the line: 0.
 *
 * @throws {SyntaxError} if it is more than can be counted.
 */
export function countIn(text: string, pattern: RegExp): number {
  return toCount(Number(pattern.exec(text)?.[1] ?? 0));
}

/**
 * The number at a path of keys.
 *
 * @throws {SyntaxError} naming the path if no number is there.
 */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = numberOrNullAt(value, ...path);
  if (found === null) throw new SyntaxError(`No number at ${path.join(" . ")}`);
  return found;
}

/** As {@linkcode numberAt}, but null where the tool itself says null: it does not know. */
export function numberOrNullAt(value: unknown, ...path: readonly string[]): number | null {
  const found = path.reduce(memberOf, value);
  if (found === null) return null;
  if (typeof found === "number" && Number.isFinite(found)) return found;
  throw new SyntaxError(`No number at ${path.join(" . ")}`);
}

/**
 * The count at a path of keys.
 *
 * @throws {SyntaxError} naming the path if no number is there, or one that is no count.
 */
export function countAt(value: unknown, ...path: readonly string[]): number {
  return toCount(numberAt(value, ...path));
}

/**
 * The object at a path of keys.
 *
 * @throws {SyntaxError} naming the path if there is none.
 */
export function objectAt(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  const found = path.reduce(memberOf, value);
  if (typeof found === "object" && found !== null) return found as Record<string, unknown>;
  throw new SyntaxError(`No object at ${path.join(" . ")}`);
}

/**
 * How long a load took.
 *
 * @throws {SyntaxError} if it is 0 or infinite: rates cannot be computed from it.
 */
export function positive(seconds: number): number {
  if (seconds === Infinity) throw new SyntaxError("The load took for ever");
  if (seconds > 0) return seconds;
  throw new SyntaxError("The load took no time");
}

/**
 * Counts of which those that are 0 are left out.
 *
 * @throws {SyntaxError} if one is no count.
 */
export function counted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => toCount(count) > 0));
}

/** A length of time for tools that know no fractions of their units. */
export function milliseconds(seconds: number): string {
  return `${Math.round(1000 * seconds)}ms`;
}

/**
 * Seconds or milliseconds as whole microseconds.
 *
 * @throws {SyntaxError} if they are no length of time.
 */
export function toUs(value: number | null, perUnit: 1e6 | 1e3): number | null {
  if (value === null) return null;
  const us = Math.round(value * perUnit);
  if (!(us >= 0 && us <= Number.MAX_SAFE_INTEGER)) {
    throw new SyntaxError(`${value} is no time that a response can take`);
  }
  return us;
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function toCount(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new SyntaxError(`${value} is no count`);
}

function toNumber(text: string | undefined, what: string): number {
  const value = Number(text ?? NaN);
  if (!Number.isFinite(value)) throw new SyntaxError(`Cannot read ${what}`);
  return value;
}
