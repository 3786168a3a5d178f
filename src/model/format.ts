/** Formats figures for people, in findings and in views. */

/** Stands for an unknown value in texts. */
export const UNKNOWN = "–";

/**
 * Limit for figures: a number of this size or more comes from a damaged report or a division by zero,
 * and is not printed.
 */
const TOO_LARGE = 1e15;

/** Returns whether a number can be printed as a figure. */
export function isFigure(value: number): boolean {
  return Math.abs(value) < TOO_LARGE;
}

/** Formats a figure with a fixed number of decimals; {@linkcode UNKNOWN} if it is not a figure. */
export function fixed(value: number, decimals: number): string {
  return isFigure(value) ? value.toFixed(decimals) : UNKNOWN;
}

/** Formats a count with its noun: `1 round`, `6 rounds`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/** Formats a share from 0 to 1 as a percentage with about two significant digits: `0.014 %`, `45 %`. */
export function share(value: number): string {
  const percent = 100 * value;
  if (!isFigure(percent)) return UNKNOWN;
  if (percent !== 0 && Math.abs(percent) < 0.1) return `${Number(percent.toPrecision(2))} %`;
  return `${percent.toFixed(Math.abs(percent) < 10 ? 1 : 0)} %`;
}

/** Formats bytes as GiB: `1.5 GiB`, `24 GiB`. */
export function gibibytes(bytes: number): string {
  const value = bytes / 2 ** 30;
  return `${fixed(value, value < 10 ? 1 : 0)} GiB`;
}
