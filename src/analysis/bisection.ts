/** Searches for the first slow candidate among ordered ones, from measurements against a fast one. */
import { roundsFor, smallestPairedP } from "../stats/power.ts";
import { pairedRatio, type Ratio } from "../stats/rank_tests.ts";

/** Maximum probability that any step of a bisection takes the wrong side: the usual level. */
const ALPHA = 0.05;
/** Measurements of a candidate before it counts as undecided. Most candidates need one. */
const LOOKS = 4;

/** A measurement of a candidate (index from 0) against good. */
export interface IndexedLook {
  readonly candidate: number;
  /** Cost relative to good in each round, 1.05 is 5 % slower; empty if it could not be measured. */
  readonly slowdowns: readonly number[];
}

export interface Bisection {
  /** Number of candidates. The last one is bad; good comes before the first one. */
  readonly count: number;
  /** Cost of bad relative to good, above 1. */
  readonly slowdown: number;
  readonly looks: readonly IndexedLook[];
}

export type Side = "good" | "bad" | "undecided" | "skipped";

/** The state of a search: `good` and `bad` are the indexes of the closest known ones; -1 is good. */
export interface Progress {
  readonly good: number;
  readonly bad: number;
  /** The candidate to measure next; null at the end. */
  readonly next: number | null;
}

/** Returns the number of halvings that isolate one of a number of candidates. */
export function halvings(count: number): number {
  return Math.ceil(Math.log2(count));
}

/**
 * Returns the maximum number of measurements of a bisection: those of a candidate for each halving, and
 * for one that replaces an undecided one. The intervals allow for all of them.
 */
export function mostLooks(count: number): number {
  return LOOKS * (halvings(count) + 1);
}

/** Returns the minimum number of rounds in which one measurement can decide. */
export function roundsOfLook(count: number): number {
  return roundsFor(mostLooks(count), smallestPairedP);
}

/** Returns all rounds of a candidate as one ratio; null without a round. */
export function ratioOf({ count, looks }: Bisection, candidate: number): Ratio | null {
  const all = looks.filter((look) => look.candidate === candidate)
    .flatMap(({ slowdowns }) => slowdowns);
  return pairedRatio(all, all.map(() => 1), 1 - ALPHA / mostLooks(count));
}

/**
 * Returns the side of a measured candidate: whether its whole interval, at the level of all looks
 * (Bonferroni), is below or above the geometric middle of good and bad.
 */
export function sideOf(bisection: Bisection, candidate: number): Side {
  const own = bisection.looks.filter((look) => look.candidate === candidate);
  if (own.some(({ slowdowns }) => slowdowns.length === 0)) return "skipped";
  const interval = ratioOf(bisection, candidate)?.confidenceInterval ?? null;
  const middle = Math.sqrt(bisection.slowdown);
  if (interval !== null && interval.high < middle) return "good";
  if (interval !== null && interval.low > middle) return "bad";
  return "undecided";
}

/**
 * Returns what is known after the measurements, and the next candidate. An undecided one is measured
 * again, and all its rounds count. After {@linkcode LOOKS} measurements, as for one that cannot be measured,
 * the candidate nearest to the middle replaces it.
 */
export function progressOf(bisection: Bisection): Progress {
  const { count, looks } = bisection;
  const sides = new Map(looks.map(({ candidate }) => [candidate, sideOf(bisection, candidate)]));
  const on = (side: Side): number[] => [...sides.keys()].filter((one) => sides.get(one) === side);
  const bad = Math.min(count - 1, ...on("bad"));
  const good = Math.max(-1, ...on("good").filter((one) => one < bad));
  const measured = looks.filter(({ slowdowns }) => slowdowns.length > 0);
  if (measured.length >= mostLooks(count)) return { good, bad, next: null };
  const looksAt = (one: number): number =>
    looks.filter(({ candidate }) => candidate === one).length;
  const again = on("undecided").find((one) => one > good && one < bad && looksAt(one) < LOOKS);
  const middle = Math.floor((good + bad) / 2);
  const open = Array.from({ length: bad - good - 1 }, (_, i) => good + 1 + i)
    .filter((one) => !sides.has(one))
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return { good, bad, next: again ?? open[0] ?? null };
}
