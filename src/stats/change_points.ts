/**
 * Where the distribution of a series changes: E-divisive, by the energy distance between what lies before and
 * behind, with a permutation test.
 * Matteson & James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data" (2014):
 * https://arxiv.org/abs/1306.4933
 */
import { seededRandom, shuffle } from "./shuffle.ts";

/** How a series is searched. */
export interface ChangePointOptions {
  /** Changes are found in so large a share of series in which nothing changes. */
  readonly level?: number;
  /** Random orders that a change has to stand out from. */
  readonly permutations?: number;
  /** Values that lie between two changes, at least. */
  readonly shortest?: number;
}

/** The same values in another order have the same distance but for this. */
const ROUNDING = 1e-9;

/** A part of a series: from one index to before another. */
interface Segment {
  readonly from: number;
  readonly to: number;
}

/** The best place to split a segment, and how far apart the sides are. */
interface Split {
  readonly at: number;
  readonly distance: number;
}

/**
 * The indices at which something new begins, in ascending order; the same for the same series.
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
    // So many random orders that are as far apart, and it is no change
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
 * The place where what comes before differs most from what follows, at once or for a while: the largest scaled
 * energy distance of equation 6, with alpha 1.
 */
function bestSplit(values: readonly number[], shortest: number): Split {
  const length = values.length;
  const sums = distanceSums(values);
  /** The sum of the distances between the values of two parts. */
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

/** Sums of distances: of the first so many values to the first so many. */
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
