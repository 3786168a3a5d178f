/** Compares the times of functions of two variants, each profiled in several fresh processes. */
import type { FunctionChange, FunctionChanges, SelfTimes } from "../model/profile.ts";
import { meanDifference } from "../stats/student.ts";
import { mean, median, sum, typical } from "../stats/median.ts";
import { byWorkload, workloadOf } from "./keys.ts";
import { fileNameOf, fileOf } from "./profiles.ts";

/** Maximum probability that any function is named although none changed. */
const ALPHA = 0.05;
/** Smallest time of a compared function, as a share of the CPU time: fewer functions, narrower intervals. */
const LEAST_SHARE = 0.005;
/** Smallest change that is named, as a share of the CPU time. V8 moves less between functions. */
const FLOOR = 0.01;
/**
 * Change of the typical function that is more than noise, as a logarithm: equal servers reached 9 %. A release
 * can change all functions (docs/evidence/2026-11-29-functions.md).
 */
const NOISE = Math.log(1.2);
/** Number of changes that are stored. */
const MOST = 20;

/** Number of functions from which their typical ratio can be trusted. */
const ENOUGH = 8;

/** A function on both sides, with its time in each round; 0 in a round without samples. */
interface Pair extends Pick<FunctionChange, "name" | "was" | "place" | "kind"> {
  readonly base: readonly number[];
  readonly head: readonly number[];
}

/** A profile with samples in JavaScript. */
interface Sampled extends SelfTimes {
  readonly sampledUs: number;
}

/**
 * Compares the functions of two variants at each workload at which both were profiled. On a busy machine
 * all samples of a process are longer or fewer, so times come from the functions' shares of the samples
 * in JavaScript. In each round head is scaled so that the typical function has not changed, as between
 * samples in genetics: https://doi.org/10.1186/gb-2010-11-10-r106. If it changed much, as between releases of
 * a runtime, head is only scaled to the same change in each round.
 */
export function compareFunctions(
  selfTimes: readonly SelfTimes[],
  [base, head]: readonly [string, string],
): FunctionChanges[] {
  return byWorkload(selfTimes).map((all, _place, workloads): FunctionChanges => {
    const workload = workloadOf(all[0]);
    const reason = all.find(({ reason }) => reason !== null)?.reason ?? null;
    const sampled = all.filter(isSampled);
    const of = (variant: string): Sampled[] => sampled.filter((one) => one.variant === variant);
    const [before, after] = [of(base), of(head)];
    const isWhole = reason === null && sampled.length === all.length && before.length > 0 &&
      before.length === after.length;
    if (!isWhole) return { ...workload, reason, compared: 0, changes: [] };
    const cpuUs = median(sampled.map(({ cpuUs, sampledUs }) => cpuUs ?? sampledUs));
    const pairs = scaled(pairsOf(before, after)).filter((pair) =>
      Math.max(mean(pair.base), mean(pair.head)) >= LEAST_SHARE * cpuUs
    );
    if (sampled.every(({ cpuUs }) => cpuUs !== null)) {
      pairs.push({ ...OUTSIDE, base: before.map(outsideUs), head: after.map(outsideUs) });
    }
    const changes = pairs.flatMap((pair): FunctionChange[] => {
      const { base, head, ...who } = pair;
      const differences = head.map((us, round) => us - (base[round] ?? 0));
      const change = meanDifference(differences, ALPHA / pairs.length / workloads.length);
      if (change === null) return [];
      // The kernel's work varies with other programs, and is not normally distributed
      const isSteady = !["native", "outside"].includes(who.kind) ||
        new Set(differences.map(Math.sign)).size === 1;
      const isLarge = Math.abs(change.mean) >= FLOOR * cpuUs;
      const isProven = isSteady && isLarge && (change.low > 0 || change.high < 0);
      const { low, high } = change;
      return [{ ...who, baseUs: mean(base), headUs: mean(head), low, high, isProven }];
    });
    const size = ({ baseUs, headUs }: FunctionChange): number => Math.abs(headUs - baseUs);
    changes.sort((a, b) => Number(b.isProven) - Number(a.isProven) || size(b) - size(a));
    return { ...workload, reason, compared: pairs.length, changes: changes.slice(0, MOST) };
  });
}

const OUTSIDE = {
  name: "outside of JavaScript",
  was: null,
  place: null,
  kind: "outside",
} as const;

function isSampled(one: SelfTimes): one is Sampled {
  return one.sampledUs !== null && one.functions.length > 0;
}

/** Returns the time per response in JavaScript. */
function timeOf({ sampledUs, samples, functions }: Sampled): number {
  return sampledUs * inJavaScript(functions) / samples;
}

/** Returns the CPU time per response outside of JavaScript; NaN if the CPU time is unknown. */
function outsideUs(one: Sampled): number {
  return (one.cpuUs ?? NaN) - timeOf(one);
}

function inJavaScript(functions: SelfTimes["functions"]): number {
  return sum(functions.map(({ samples }) => samples));
}

/** Matches functions by name and file, then a single rest on both sides of a file as renamed. */
function pairsOf(before: readonly Sampled[], after: readonly Sampled[]): Pair[] {
  const [was, is] = [timesOf(before), timesOf(after)];
  const pairs: Pair[] = [];
  for (const [key, { times, ...one }] of is) {
    const old = was.get(key);
    was.delete(key);
    pairs.push({ ...one, was: null, base: old?.times ?? before.map(() => 0), head: times });
  }
  for (const { times, ...one } of was.values()) {
    type Placed = Pick<Pair, "place">;
    const isIn = ({ place }: Placed): boolean =>
      place !== null && fileNameOf(place) === fileNameOf(one.place);
    const added = pairs.filter((pair) => isIn(pair) && pair.base.every((us) => us === 0));
    // The folders of two servers have different names
    const same = added.filter(({ name }) => name === one.name);
    const gone = [...was.values()].filter(isIn);
    const [moved] = same.length === 1 ? same : gone.length === 1 && added.length === 1 ? added : [];
    if (moved !== undefined) {
      const renamed = moved.name === one.name ? null : one.name;
      pairs[pairs.indexOf(moved)] = { ...moved, was: renamed, base: times };
    } else {
      pairs.push({ ...one, was: null, base: times, head: after.map(() => 0) });
    }
  }
  return pairs;
}

/** Returns each function's time by round: its share of JavaScript's samples, times the usual time. */
function timesOf(
  side: readonly Sampled[],
): Map<string, Pick<Pair, "name" | "place" | "kind"> & { readonly times: number[] }> {
  const usualUs = median(side.map(timeOf));
  const all: ReturnType<typeof timesOf> = new Map();
  for (const [round, { functions }] of side.entries()) {
    const total = inJavaScript(functions);
    for (const { samples, ...one } of functions) {
      const key = JSON.stringify([one.name, fileOf(one.place), one.kind]);
      const known = all.get(key) ?? { ...one, times: side.map(() => 0) };
      known.times[round] = usualUs * samples / total;
      all.set(key, known);
    }
  }
  return all;
}

/**
 * Scales head in each round so that the typical function, that of the median ratio, has not changed. If it
 * changed by more than noise, its median change remains in each round. A round with too few functions is not
 * scaled.
 */
function scaled(pairs: readonly Pair[]): Pair[] {
  const usual = mean(pairs.map(({ base }) => mean(base)));
  const factors = pairs[0]?.base.map((_us, round) => {
    const ratios = pairs.filter(({ base }) => mean(base) >= usual / 2)
      .map(({ base, head }) => (head[round] ?? 0) / (base[round] ?? 0))
      .filter((ratio) => ratio > 0 && ratio < Infinity);
    return ratios.length < ENOUGH ? null : median(ratios);
  }) ?? [];
  const change = typical(factors, (factor) => factor) ?? 1;
  const level = Math.abs(Math.log(change)) > NOISE ? change : 1;
  return pairs.map((pair) => ({
    ...pair,
    head: pair.head.map((us, round) => us * level / (factors[round] ?? level)),
  }));
}
