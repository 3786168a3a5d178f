import type { Cell, CellKey, Change, Changes, Noise, Reason } from "../model/derived.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { independentRatio } from "../stats/mann_whitney.ts";
import { median } from "../stats/median.ts";
import { pairedRatio } from "../stats/paired.ts";
import { smallestIndependentP, smallestPairedP } from "../stats/power.ts";
import { cellDifferences, runDifferences } from "./comparable.ts";
import { figuresOf, metricOf } from "./comparisons.ts";
import { typical } from "./estimate.ts";
import { generatorCpuUs } from "./figures.ts";
import { judgeChanges, type PendingChange } from "./judge.ts";
import { cellKeyOf, isSameCell, isSameTask } from "./cell_key.ts";

/** How much servers differ from themselves on this machine: smaller changes mean nothing. */
export interface NoiseFloor {
  readonly noise: readonly Noise[];
  /** The report of `bench noise` that says so; null if there is none. */
  readonly noiseSource: string | null;
}

/** Every server and task of two files, even of what should not be compared if that is forced. */
export function compareReports(
  base: Report,
  head: Report,
  { noise, noiseSource, force }: NoiseFloor & { readonly force: boolean },
): Changes {
  const machineRatio = ratioOfMedians(base, head, ({ referenceUs }) => referenceUs);
  const everywhere = force ? [] : runDifferences(base, head);
  const keys = union(base.cells, head.cells, isSameCell);
  const family = keys.map((key): PendingChange => {
    const was = base.cells.find((cell) => isSameCell(cell, key));
    const is = head.cells.find((cell) => isSameCell(cell, key));
    const common = commonMetric(was, is, "BASE", "HEAD");
    if ("reason" in common) return incomparable(key, [common.reason], hasBroken(was, is));
    const reasons = [...everywhere, ...(force ? [] : cellDifferences(base, head, key))];
    if (reasons.length > 0) return incomparable(key, reasons, hasBroken(was, is));
    const { metric } = common;
    // A server that waits is no faster on a faster machine
    const isWaiting = was?.verdict?.limit === "wait" && is?.verdict?.limit === "wait";
    const control = isWaiting ? null : ratioOfMedians(base, head, generatorCpuUs, key);
    const before = [...figuresOf(base.results, key, metric).values()];
    const after = [...figuresOf(head.results, key, metric).values()];
    const own = noise.find((one) => isSameCell(one, key));
    return {
      change: { ...blank(key), metric, ...figures(before, after) },
      floor: Math.max(floorOf(own, metric), distance(machineRatio), distance(control)),
      smallestP: smallestIndependentP(before.length, after.length),
      ratioAt: (level) => independentRatio(after, before, level),
    };
  });
  const isUsed = noise.some((one) => keys.some((key) => isSameCell(one, key)));
  return {
    ...judgeChanges(family, (rounds) => smallestIndependentP(rounds, rounds)),
    machineRatio,
    noiseSource: isUsed ? noiseSource : null,
  };
}

/** Two arms of one report at every task, in the rounds that both were measured in. */
export function compareArms(
  { cells, results, experiment }: Pick<Report, "cells" | "results" | "experiment">,
  [base, head]: readonly [string, string],
  { noise, noiseSource }: NoiseFloor,
): Changes {
  // A run of `bench noise` knows the server by its own name
  const server = experiment.arms.find(({ id }) => id === base)?.server;
  const ownNoise = noise.filter(({ arm }) => arm === server);
  const own = cells.filter(({ arm }) => arm === base || arm === head);
  const tasks = union(own, [], isSameTask);
  const family = tasks.map((task): PendingChange => {
    const was = own.find((cell) => cell.arm === base && isSameTask(cell, task));
    const is = own.find((cell) => cell.arm === head && isSameTask(cell, task));
    const key = { ...task, arm: head };
    const common = commonMetric(was, is, base, head);
    if ("reason" in common) return incomparable(key, [common.reason], hasBroken(was, is));
    const { metric } = common;
    const before = figuresOf(results, { ...key, arm: base }, metric);
    const after = figuresOf(results, key, metric);
    const rounds = [...before.keys()].filter((round) => after.has(round));
    const a = rounds.map((round) => before.get(round) as number);
    const b = rounds.map((round) => after.get(round) as number);
    return {
      change: { ...blank(key), metric, ...figures(a, b) },
      floor: floorOf(ownNoise.find((one) => isSameTask(one, key)), metric),
      smallestP: smallestPairedP(rounds.length),
      ratioAt: (level) => pairedRatio(b, a, level),
    };
  });
  const isUsed = ownNoise.some((one) => tasks.some((task) => isSameTask(one, task)));
  return {
    ...judgeChanges(family, smallestPairedP),
    machineRatio: null,
    noiseSource: isUsed ? noiseSource : null,
  };
}

/** By what two cells can be compared, or why they cannot. */
function commonMetric(
  was: Cell | undefined,
  is: Cell | undefined,
  base: string,
  head: string,
): { readonly metric: Change["metric"] } | { readonly reason: Reason } {
  if (was === undefined) return { reason: { kind: "absent", where: base } };
  if (was.status !== "ok") {
    return { reason: { kind: "not-ok", status: was.status, where: base, reason: was.reason } };
  }
  if (is === undefined) return { reason: { kind: "absent", where: head } };
  if (is.status !== "ok") {
    return { reason: { kind: "not-ok", status: is.status, where: head, reason: is.reason } };
  }
  const metric = metricOf([was, is]);
  return metric === "requestsPerS" && (was.isLowerBound || is.isLowerBound)
    ? { reason: { kind: "rate-not-own" } }
    : { metric };
}

/** Whether what was fine is not any more. */
function hasBroken(was: Cell | undefined, is: Cell | undefined): boolean {
  return was?.status === "ok" && is !== undefined && is.status !== "ok";
}

function incomparable(
  key: CellKey,
  reasons: readonly Reason[],
  isBroken: boolean,
): PendingChange {
  return {
    change: { ...blank(key), verdict: "incomparable", reasons, isBroken },
    floor: 0,
    smallestP: 1,
    ratioAt: () => null,
  };
}

/** A change of which nothing is known yet. */
function blank({ arm, scenario, connections }: CellKey): Change {
  return {
    arm,
    scenario,
    connections,
    verdict: "same",
    reasons: [],
    isBroken: false,
    metric: "requestsPerS",
    base: null,
    head: null,
    baseRounds: 0,
    headRounds: 0,
    ratio: null,
    interval: null,
    familyInterval: null,
    pValue: null,
    detectable: null,
    floor: 0,
  };
}

function figures(
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

function union(
  a: readonly Cell[],
  b: readonly Cell[],
  isSame: (a: CellKey, b: CellKey) => boolean,
): Cell[] {
  return [...a, ...b].filter((cell, i, all) => all.findIndex((other) => isSame(cell, other)) === i);
}

function floorOf(noise: Noise | undefined, metric: Change["metric"]): number {
  return noise?.[metric]?.floor ?? 0;
}

/**
 * How many times as large in HEAD is what no server should change, by the medians of the windows, of one
 * cell or of all; null where it is not known. It is a negative control of what the machine changed:
 * https://doi.org/10.1097/EDE.0b013e3181d61eeb
 */
function ratioOfMedians(
  base: Report,
  head: Report,
  figure: (window: WindowRecord) => number | null,
  key: CellKey | null = null,
): number | null {
  const medianIn = ({ results }: Report): number | null =>
    typical(
      results.filter(({ trial }) =>
        trial.purpose === "measure" && (key === null || isSameCell(cellKeyOf(trial), key))
      ),
      ({ window }) => window && figure(window),
    );
  const was = medianIn(base);
  const is = medianIn(head);
  return was === null || is === null ? null : is / was;
}

/** How far a ratio is from 1, upwards or the other way round; 0 where it is not known. */
function distance(ratio: number | null): number {
  return ratio === null ? 0 : Math.max(ratio, 1 / ratio) - 1;
}
