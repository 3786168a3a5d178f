/**
 * Segments of a load in k6's notation: `0:1/2`, `1/4:0.5`. Fractions are exact, so that thirds add up
 * to 1.
 */

/** A share: numerator and denominator. */
type Fraction = readonly [bigint, bigint];

const FIRST: Fraction = [0n, 1n];
const LAST: Fraction = [1n, 1n];

/** Returns the ends of a segment; null if it is invalid. */
export function endsOf(segment: string): readonly [from: Fraction, to: Fraction] | null {
  const [from, to, ...others] = segment.split(":").map(fractionOf);
  if (!from || !to || others.length > 0) return null;
  return compare(from, to) < 0 && compare(to, LAST) <= 0 ? [from, to] : null;
}

/**
 * Returns the gaps between segments, and the segments that overlap others.
 *
 * @param segments valid segments; others are ignored
 */
export function coverage(
  segments: readonly string[],
): { readonly missing: readonly string[]; readonly twice: readonly string[] } {
  const parts = segments.flatMap((segment) => {
    const ends = endsOf(segment);
    return ends === null ? [] : [{ segment, from: ends[0], to: ends[1] }];
  }).sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
  const missing: string[] = [];
  const twice: string[] = [];
  let at = FIRST;
  for (const { segment, from, to } of parts) {
    if (compare(from, at) > 0) missing.push(`${textOf(at)}:${textOf(from)}`);
    if (compare(from, at) < 0) twice.push(segment);
    if (compare(to, at) > 0) at = to;
  }
  if (compare(at, LAST) < 0) missing.push(`${textOf(at)}:1`);
  return { missing, twice };
}

/** Compares two segments by their beginnings, for sorting. */
export function bySegment(a: string, b: string): number {
  const [one, other] = [endsOf(a), endsOf(b)];
  if (one === null || other === null) return a < b ? -1 : a > b ? 1 : 0;
  return compare(one[0], other[0]) || compare(one[1], other[1]);
}

function fractionOf(text: string): Fraction | null {
  const [, whole, denominator] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (whole !== undefined && denominator !== undefined) {
    return BigInt(denominator) === 0n ? null : [BigInt(whole), BigInt(denominator)];
  }
  const [, before, after = ""] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  return before === undefined ? null : [BigInt(before + after), 10n ** BigInt(after.length)];
}

function compare([a, b]: Fraction, [c, d]: Fraction): number {
  const difference = a * d - c * b;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function textOf([numerator, denominator]: Fraction): string {
  const gcd = (a: bigint, b: bigint): bigint => b === 0n ? a : gcd(b, a % b);
  const by = gcd(numerator, denominator);
  const [a, b] = [numerator / by, denominator / by];
  return b === 1n ? `${a}` : `${a}/${b}`;
}
