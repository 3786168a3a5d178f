import { HttpError } from "./problem.ts";

/** What a whole-number parameter may be, and what it is when it is absent. */
export interface IntegerRule {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/**
 * Reads a whole number from a query string (without its `?`).
 *
 * @throws {HttpError} 400 that says what is allowed.
 */
export function integerParameter(query: string, name: string, rule: IntegerRule): number {
  const text = parameter(query, name);
  if (text === null) return rule.fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < rule.min || value > rule.max) {
    throw new HttpError(
      400,
      `The parameter "${name}" must be a whole number from ${rule.min} to ${rule.max}`,
    );
  }
  return value;
}

/**
 * Reads `true` or `false` from a query string; absent is true.
 *
 * @throws {HttpError} 400 that says what is allowed.
 */
export function booleanParameter(query: string, name: string): boolean {
  const text = parameter(query, name);
  if (text === null || text === "true") return true;
  if (text === "false") return false;
  throw new HttpError(400, `The parameter "${name}" must be true or false`);
}

function parameter(query: string, name: string): string | null {
  return query === "" ? null : new URLSearchParams(query).get(name);
}
