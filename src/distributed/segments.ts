/** Segments of a load in k6's notation, such as `0:1/2`: their order, and the gaps between them. */

/** An end of a segment: numerator and denominator. It is exact, so that thirds add up to 1. */
type Fraction = readonly [bigint, bigint];
const LAST: Fraction = [1n, 1n];

/** Returns whether a segment is a part of a load: not empty, and not beyond its end. */
export function isSegment(segment: string): boolean {
  const [from, to] = endsOf(segment);
  // A denominator of 0 fails one of the comparisons
  return compare(from, to) < 0 && compare(to, LAST) <= 0;
}

/** Returns the gaps between segments, and the segments that overlap others. */
export function coverage(segments: readonly string[]): { missing: string[]; twice: string[] } {
  const missing: string[] = [];
  const twice: string[] = [];
  let at: Fraction = [0n, 1n];
  for (const segment of segments.toSorted(bySegment)) {
    const [from, to] = endsOf(segment);
    if (compare(from, at) > 0) missing.push(`${textOf(at)}:${textOf(from)}`);
    if (compare(from, at) < 0) twice.push(segment);
    if (compare(to, at) > 0) at = to;
  }
  if (compare(at, LAST) < 0) missing.push(`${textOf(at)}:1`);
  return { missing, twice };
}

/** Compares two segments by their starts, then by their ends. */
export function bySegment(a: string, b: string): number {
  const [[from, to], [otherFrom, otherTo]] = [endsOf(a), endsOf(b)];
  return compare(from, otherFrom) || compare(to, otherTo);
}

/** Returns the ends of a segment in k6's notation, such as `0:1/2` or `1/4:0.5`. */
function endsOf(segment: string): [from: Fraction, to: Fraction] {
  return segment.split(":").map((end): Fraction => {
    const [numerator = "", denominator] = end.split("/");
    const [whole, decimals = ""] = numerator.split(".");
    return [BigInt(whole + decimals), BigInt(denominator ?? 10 ** decimals.length)];
  }) as readonly Fraction[] as [Fraction, Fraction];
}

function compare([a, b]: Fraction, [c, d]: Fraction): number {
  return Number(a * d - c * b);
}

function textOf([numerator, denominator]: Fraction): string {
  const gcd = (a: bigint, b: bigint): bigint => b === 0n ? a : gcd(b, a % b);
  const by = gcd(numerator, denominator);
  const [a, b] = [numerator / by, denominator / by];
  return b === 1n ? `${a}` : `${a}/${b}`;
}
