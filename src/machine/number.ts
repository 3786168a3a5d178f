/** Parses a number. Returns null if it is invalid, negative, or too large to count exactly. */
export function parseNumber(text: string | number | undefined): number | null {
  const value = Number(text ?? NaN);
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}
