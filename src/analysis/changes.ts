import type { Cell, CellKey, Change, Noise } from "../model/derived.ts";
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
import { type Candidate, type Compared, judge } from "./judge.ts";
import { cellKeyOf, isSameCell, isSameTask } from "./cell_key.ts";

/** What comparisons take into account beside the figures. */
export interface ChangeOptions {
  /** Of `bench noise` on this machine: changes below its floor mean nothing. */
  readonly noise: readonly Noise[];
  /** Compare also what should not be compared. */
  readonly force: boolean;
}

/** Changes, and what is to be known of all of them. */
export interface Changes extends Compared {
  /** How much longer a fixed piece of work took in HEAD: 1.06 is 6 %; null where it is not known. */
  readonly machineRatio: number | null;
}

/** Every server and task of two files. */
export function compareReports(
  base: Report,
  head: Report,
  { noise, force }: ChangeOptions,
): Changes {
  const machineRatio = ratioOfMedians(base, head, ({ referenceUs }) => referenceUs);
  const everywhere = force ? [] : runDifferences(base, head);
  const candidates = union(base.cells, head.cells, isSameCell).map((key): Candidate => {
    const [was, is] = [base, head].map(({ cells }) => cells.find((cell) => isSameCell(cell, key)));
    const reasons = [...everywhere, ...(force ? [] : cellDifferences(base, head, key))];
    const common = commonMetric(was, is, "BASE", "HEAD");
    const reason = "reason" in common ? common.reason : reasons.join("; ");
    if (reason !== "" || "reason" in common) return incomparable(key, reason, hasBroken(was, is));
    const { metric } = common;
    // Whoever waits is no faster on a faster machine
    const isWaiting = [was, is].every((cell) => cell?.verdict?.limit === "wait");
    const control = isWaiting ? null : ratioOfMedians(base, head, generatorCpuUs, key);
    const [before, after] = [base, head].map(({ results }) => [
      ...figuresOf(results, key, metric).values(),
    ]) as [number[], number[]];
    return {
      change: { ...blank(key), metric, ...figures(before, after) },
      floor: Math.max(floorOf(noise, key, metric), distance(machineRatio), distance(control)),
      smallestP: smallestIndependentP(before.length, after.length),
      ratioAt: (level) => independentRatio(after, before, level),
    };
  });
  return {
    ...judge(candidates, (rounds) => smallestIndependentP(rounds, rounds)),
    machineRatio,
  };
}

/**
 * Two servers of one report at every task, in the rounds that both were measured in.
 *
 * @param noise of the first of them, whatever it is called there
 */
export function compareTargets(
  { cells, results }: Report,
  [base, head]: readonly [string, string],
  noise: readonly Noise[],
): Changes {
  const own = cells.filter(({ target }) => target === base || target === head);
  const candidates = union(own, [], isSameTask).map((task): Candidate => {
    const [was, is] = [base, head].map((target) =>
      own.find((cell) => cell.target === target && isSameTask(cell, task))
    );
    const key = { ...task, target: head };
    const common = commonMetric(was, is, base, head);
    if ("reason" in common) return incomparable(key, common.reason, hasBroken(was, is));
    const { metric } = common;
    const before = figuresOf(results, { ...key, target: base }, metric);
    const after = figuresOf(results, key, metric);
    const rounds = [...before.keys()].filter((round) => after.has(round));
    const [a, b] = [before, after].map((of) => rounds.map((round) => of.get(round) as number)) as [
      number[],
      number[],
    ];
    return {
      change: { ...blank(key), metric, ...figures(a, b) },
      floor: noise.find((one) => isSameTask(one, key))?.[metric]?.floor ?? 0,
      smallestP: smallestPairedP(rounds.length),
      ratioAt: (level) => pairedRatio(b, a, level),
    };
  });
  return { ...judge(candidates, smallestPairedP), machineRatio: null };
}

/** By what two cells can be compared, or why they cannot. */
function commonMetric(
  was: Cell | undefined,
  is: Cell | undefined,
  base: string,
  head: string,
): { readonly metric: Change["metric"] } | { readonly reason: string } {
  for (const [cell, where] of [[was, base], [is, head]] as const) {
    if (cell === undefined) return { reason: `not in ${where}` };
    if (cell.status !== "ok") return { reason: `${cell.status} in ${where}: ${cell.reason}` };
  }
  const cells = [was as Cell, is as Cell];
  const metric = metricOf(cells);
  return metric === "requestsPerS" && cells.some(({ isLowerBound }) => isLowerBound)
    ? { reason: "the rate was not the server's, and its processor time is not known" }
    : { metric };
}

/** Whether what was fine is not any more. */
function hasBroken(was: Cell | undefined, is: Cell | undefined): boolean {
  return was?.status === "ok" && is !== undefined && is.status !== "ok";
}

function incomparable(key: CellKey, reason: string, isBroken: boolean): Candidate {
  return {
    change: { ...blank(key), verdict: "incomparable", reason, isBroken },
    floor: 0,
    smallestP: 1,
    ratioAt: () => null,
  };
}

/** A change of which nothing is known yet. */
function blank({ target, scenario, connections }: CellKey): Change {
  return {
    target,
    scenario,
    connections,
    verdict: "same",
    reason: null,
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

function floorOf(noise: readonly Noise[], key: CellKey, metric: Change["metric"]): number {
  return noise.find((one) => isSameCell(one, key))?.[metric]?.floor ?? 0;
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
  const [was = null, is = null] = [base, head].map(({ results }) => {
    const own = results.filter(({ trial }) =>
      trial.purpose === "measure" && (key === null || isSameCell(cellKeyOf(trial), key))
    );
    return typical(own, ({ window }) => window && figure(window));
  });
  return was === null || is === null ? null : is / was;
}

/** How far a ratio is from 1, upwards or the other way round; 0 where it is not known. */
function distance(ratio: number | null): number {
  return ratio === null ? 0 : Math.max(ratio, 1 / ratio) - 1;
}
