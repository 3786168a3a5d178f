/**
 * Finds changes in the distribution of a series with the method E-divisive. It measures the energy distance
 * between the values before and after a point. A permutation test decides whether that distance is
 * significant.
 *
 * Matteson & James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data"
 * (2014): https://arxiv.org/abs/1306.4933
 */
import { seededRandom, shuffle } from "./shuffle.ts";

/** Options of {@linkcode changePoints}. */
interface ChangePointOptions {
  /** Significance level: the share of series without a change in which the test still finds one. */
  readonly level?: number;
  /** Number of random permutations in the test. */
  readonly permutations?: number;
  /** Minimum number of values before, between and after changes. */
  readonly shortest?: number;
}

/**
 * Tolerance for comparing distances, as a share. The same values in another order give distances that differ
 * by rounding.
 */
const ROUNDING = 1e-9;

/** A part of a series. The index `from` is included, `to` is not. */
interface Segment {
  readonly from: number;
  readonly to: number;
}

/** The best index to split a segment, and the distance between its two sides. */
interface Split {
  readonly at: number;
  readonly distance: number;
}

/**
 * Returns the indices at which a new distribution begins, in ascending order. Equal series give equal
 * indices.
 *
 * @param values in the order of time
 */
export function changePoints(
  values: readonly number[],
  { level = 0.01, permutations = 999, shortest = 3 }: ChangePointOptions = {},
): number[] {
  const random = seededRandom(values.length);
  let segments: Segment[] = [{ from: 0, to: values.length }];
  for (;;) {
    const parts = segments.map(({ from, to }) => values.slice(from, to));
    const splits = parts.map((part) => bestSplit(part, shortest));
    const most = Math.max(...splits.map(({ distance }) => distance));
    const best = splits.findIndex(({ distance }) => distance === most);
    const segment = segments[best] as Segment;
    const at = segment.from + (splits[best] as Split).at;
    // If this many permutations reach the same distance, the split is not significant
    const enough = Math.floor(level * (permutations + 1));
    let exceeding = most > 0 ? 0 : enough;
    for (let i = 0; i < permutations && exceeding < enough; i++) {
      const isAsFar = parts.some((part) =>
        bestSplit(shuffle(part, random), shortest).distance >= most * (1 - ROUNDING)
      );
      if (isAsFar) exceeding++;
    }
    if (exceeding >= enough) break;
    segments = segments.toSpliced(
      best,
      1,
      { from: segment.from, to: at },
      { from: at, to: segment.to },
    );
  }
  return segments.slice(1).map(({ from }) => from);
}

/**
 * Returns the split with the largest scaled energy distance (equation 6, with alpha 1). It also tries second
 * sides that end before the segment does, to find temporary changes.
 */
function bestSplit(values: readonly number[], shortest: number): Split {
  const length = values.length;
  const sums = distanceSums(values);
  /** Returns the sum of the distances between each value of `a` and each value of `b`. */
  const between = (a: Segment, b: Segment): number =>
    sum(sums, a.to, b.to) - sum(sums, a.from, b.to) - sum(sums, a.to, b.from) +
    sum(sums, a.from, b.from);
  const mean = (part: Segment): number => {
    const size = part.to - part.from;
    return size < 2 ? 0 : between(part, part) / (size * (size - 1));
  };
  let best: Split = { at: 0, distance: 0 };
  for (let at = shortest; at <= length - shortest; at++) {
    const before = { from: 0, to: at };
    const within = mean(before);
    for (let end = at + shortest; end <= length; end++) {
      const after = { from: at, to: end };
      const size = end - at;
      const energy = 2 * between(before, after) / (at * size) - within - mean(after);
      const distance = at * size / (at + size) * energy;
      if (distance > best.distance) best = { at, distance };
    }
  }
  return best;
}

/** Sums of the distances between the first i and the first j values: `totals[i * stride + j]`. */
interface Sums {
  readonly stride: number;
  readonly totals: Float64Array;
}

function distanceSums(values: readonly number[]): Sums {
  const stride = values.length + 1;
  const totals = new Float64Array(stride * stride);
  for (let i = 1; i < stride; i++) {
    let row = 0;
    for (let j = 1; j < stride; j++) {
      row += Math.abs((values[i - 1] as number) - (values[j - 1] as number));
      totals[i * stride + j] = (totals[(i - 1) * stride + j] as number) + row;
    }
  }
  return { stride, totals };
}

function sum({ stride, totals }: Sums, i: number, j: number): number {
  return totals[i * stride + j] as number;
}
