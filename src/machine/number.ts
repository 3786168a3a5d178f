/** A number that is not negative; null for what is none, or beyond what can be counted. */
export function parseNumber(text: string | number | undefined): number | null {
  const value = Number(text ?? NaN);
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}
