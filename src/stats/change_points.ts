/**
 * Finds changes in the distribution of a series with the method E-divisive: a permutation test decides
 * whether the energy distance between the values before and after a point is significant.
 *
 * Matteson & James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data"
 * (2014): https://arxiv.org/abs/1306.4933
 */
import { seededRandom, shuffle } from "./shuffle.ts";

/** Significance level: the share of series without a change in which the test still finds one. */
const LEVEL = 0.01;
const PERMUTATIONS = 999;
/** Number of permutations with the same distance from which on a split is not significant. */
const ENOUGH = Math.floor(LEVEL * (PERMUTATIONS + 1));
/** Minimum number of values before, between and after changes. */
const SHORTEST = 3;
/** Tolerance for comparing distances, as a share: the same values in another order are rounded differently. */
const ROUNDING = 1e-9;

/** A part of a series: the index `from` is included, `to` is not. */
type Segment = readonly [from: number, to: number];

/** Returns the indices at which new distributions begin, ascending; equal for equal series. */
export function changePoints(values: readonly number[]): number[] {
  const random = seededRandom(values.length);
  let segments: Segment[] = [[0, values.length]];
  for (;;) {
    const parts = segments.map(([from, to]) => values.slice(from, to));
    const splits = parts.map(bestSplit);
    const most = Math.max(...splits.map(({ distance }) => distance));
    const best = splits.findIndex(({ distance }) => distance === most);
    let exceeding = most > 0 ? 0 : ENOUGH;
    for (let i = 0; i < PERMUTATIONS && exceeding < ENOUGH; i++) {
      const isAsFar = parts.some((part) =>
        bestSplit(shuffle(part, random)).distance >= most * (1 - ROUNDING)
      );
      if (isAsFar) exceeding++;
    }
    if (exceeding >= ENOUGH) return segments.slice(1).map(([from]) => from);
    const [from, to] = segments[best] as Segment;
    const at = from + (splits[best]?.at ?? 0);
    segments = segments.toSpliced(best, 1, [from, at], [at, to]);
  }
}

/**
 * Returns the index with the largest scaled energy distance between both sides (equation 6, with alpha
 * 1). It also tries second sides that end before the values do, to find temporary changes.
 */
function bestSplit(values: readonly number[]): { at: number; distance: number } {
  // sums[i * stride + j]: sum of the distances between the first i and the first j values
  const stride = values.length + 1;
  const sums = new Float64Array(stride * stride);
  const sum = (i: number, j: number): number => sums[i * stride + j] as number;
  for (let i = 1; i < stride; i++) {
    let row = 0;
    for (let j = 1; j < stride; j++) {
      row += Math.abs((values[i - 1] as number) - (values[j - 1] as number));
      sums[i * stride + j] = sum(i - 1, j) + row;
    }
  }
  /** Returns the sum of the distances between each value of `a` and each value of `b`. */
  const between = (a: Segment, b: Segment): number =>
    sum(a[1], b[1]) - sum(a[0], b[1]) - sum(a[1], b[0]) + sum(a[0], b[0]);
  const mean = (part: Segment): number => {
    const size = part[1] - part[0];
    return size < 2 ? 0 : between(part, part) / (size * (size - 1));
  };
  let best = { at: 0, distance: 0 };
  for (let at = SHORTEST; at <= values.length - SHORTEST; at++) {
    const before = [0, at] as const;
    const within = mean(before);
    for (let end = at + SHORTEST; end <= values.length; end++) {
      const after = [at, end] as const;
      const size = end - at;
      const energy = 2 * between(before, after) / (at * size) - within - mean(after);
      const distance = at * size / (at + size) * energy;
      if (distance > best.distance) best = { at, distance };
    }
  }
  return best;
}
