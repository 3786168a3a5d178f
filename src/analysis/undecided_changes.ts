/** Changes before they are tested, for comparisons of two reports and of two variants. */
import type { Change, Noise, Reason, Result, ResultKey } from "../model/derived.ts";
import type { Metric } from "../model/figures.ts";
import { median } from "../stats/median.ts";
import { metricOf } from "./comparisons.ts";
import type { UndecidedChange } from "./judge_changes.ts";
import { keyOf } from "./result_key.ts";

/** How much servers differ from themselves on this machine. Smaller changes are noise. */
export interface NoiseFloor {
  readonly noise: readonly Noise[];
  /** Path of the report of `bench noise` that contains these figures, or null. */
  readonly noiseSource: string | null;
}

/** Returns the metric by which two results can be compared, or why they cannot be compared. */
export function commonMetric(
  was: Result | undefined,
  is: Result | undefined,
  base: string,
  head: string,
): { readonly metric: ReturnType<typeof metricOf> } | { readonly reason: Reason } {
  if (was === undefined) return { reason: { kind: "absent", where: base } };
  if (was.status !== "ok") {
    return { reason: { kind: "not-ok", status: was.status, where: base, reason: was.reason } };
  }
  if (is === undefined) return { reason: { kind: "absent", where: head } };
  if (is.status !== "ok") {
    return { reason: { kind: "not-ok", status: is.status, where: head, reason: is.reason } };
  }
  const climbing = climbingReason(was, base) ?? climbingReason(is, head);
  if (climbing !== null) return { reason: climbing };
  const metric = metricOf([was, is]);
  return metric === "requestsPerS" && (was.isLowerBound || is.isLowerBound)
    ? { reason: { kind: "rate-not-own" } }
    : { metric };
}

/**
 * Returns why a result is not compared: its measurement began before the server had warmed up. Null if it did
 * not.
 */
export function climbingReason({ climbing }: Result, where: string): Reason | null {
  return climbing?.kind === "still-climbing" ? { ...climbing, where } : null;
}

/** Returns whether a valid result became invalid. */
export function hasBroken(was: Result | undefined, is: Result | undefined): boolean {
  return was?.status === "ok" && is !== undefined && is.status !== "ok";
}

/** Returns a change that cannot be compared, with the reasons. */
export function incomparable(
  key: ResultKey,
  reasons: readonly Reason[],
  isBroken: boolean,
): UndecidedChange {
  return {
    change: { ...blank(key), verdict: "incomparable", reasons, isBroken },
    floor: 0,
    smallestP: 1,
    ratioAt: () => null,
  };
}

/** Returns a change without figures. */
export function blank(key: ResultKey): Change {
  return {
    ...keyOf(key),
    verdict: "same",
    reasons: [],
    isBroken: false,
    metric: "requestsPerS",
    method: "windows",
    base: null,
    head: null,
    baseRounds: 0,
    headRounds: 0,
    ratio: null,
    confidenceInterval: null,
    isConfirmed: null,
    familyConfidenceInterval: null,
    pValue: null,
    minimumDetectableChange: null,
    floor: 0,
  };
}

/** Returns the medians and the numbers of rounds of base and head. */
export function figures(
  base: readonly number[],
  head: readonly number[],
): Pick<Change, "base" | "head" | "baseRounds" | "headRounds"> {
  return {
    base: base.length === 0 ? null : median(base),
    head: head.length === 0 ? null : median(head),
    baseRounds: base.length,
    headRounds: head.length,
  };
}

/** Returns the results of both lists without duplicates. `isSame` decides which results are duplicates. */
export function union(
  a: readonly Result[],
  b: readonly Result[],
  isSame: (a: ResultKey, b: ResultKey) => boolean,
): Result[] {
  return [...a, ...b].filter((result, i, all) =>
    all.findIndex((other) => isSame(result, other)) === i
  );
}

/** Returns the noise floor of a metric, as a share; 0 if unknown. */
export function floorOf(noise: Noise | undefined, metric: Metric): number {
  return metric === "p50Us" ? 0 : noise?.[metric]?.floor ?? 0;
}
