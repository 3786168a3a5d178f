import type { Cell, CellKey, Change, Noise } from "../findings.ts";
import type { Report } from "../report.ts";
import { holm } from "../stats/holm.ts";
import { independentRatio } from "../stats/mann_whitney.ts";
import { median } from "../stats/median.ts";
import { pairedRatio } from "../stats/paired.ts";
import {
  detectableChange,
  roundsFor,
  smallestIndependentP,
  smallestPairedP,
} from "../stats/power.ts";
import type { Ratio } from "../stats/ratio.ts";
import { coefficientOfVariation } from "../stats/spread.ts";
import { cellDifferences, runDifferences } from "./comparable.ts";
import { figuresOf, metricOf } from "./comparisons.ts";
import { isSameCell, isSameTask } from "./keys.ts";

/** How probably any change of a family may be found where there is none. */
const ALPHA = 0.05;

/** What comparisons take into account beside the figures. */
export interface ChangeOptions {
  /** Of `bench noise` on this machine: changes below its floor mean nothing. */
  readonly noise: readonly Noise[];
  /** Compare also what should not be compared. */
  readonly force: boolean;
}

/** One change before it is judged with all others. */
interface Candidate {
  readonly change: Change;
  /** The smallest p-value that so many rounds can have. */
  readonly smallestP: number;
  /** Of the ratio's logarithm. */
  readonly standardError: number | null;
}

/** Changes, and what is to be known of all of them. */
export interface Changes {
  readonly changes: readonly Change[];
  /** How much longer a fixed piece of work took in HEAD: 1.06 is 6 %; null where it is not known. */
  readonly machineRatio: number | null;
  /** Rounds that the family needs to be decided at all; null if it had enough. */
  readonly neededRounds: number | null;
}

/** Every server and task of two files. */
export function compareReports(
  base: Report,
  head: Report,
  { noise, force }: ChangeOptions,
): Changes {
  const machineRatio = speedRatio(base, head);
  const everywhere = force ? [] : runDifferences(base, head);
  const keys = [...base.cells, ...head.cells].filter((cell, i, all) =>
    all.findIndex((other) => isSameCell(cell, other)) === i
  );
  const candidates = keys.map((key): Candidate => {
    const [was, is] = [base, head].map(({ cells }) => cells.find((cell) => isSameCell(cell, key)));
    const reasons = [...everywhere, ...(force ? [] : cellDifferences(base, head, key))];
    const reason = missing(was, "BASE") ?? missing(is, "HEAD") ?? (reasons.join("; ") || null);
    if (reason !== null || !was || !is) return incomparable(key, reason ?? "");
    const metric = metricOf([was, is]);
    if (metric === "requestsPerS" && (was.isLowerBound || is.isLowerBound)) {
      return incomparable(
        key,
        "the rate was not the server's, and its processor time is not known",
      );
    }
    const [before, after] = [base, head].map((
      { results },
    ) => [...figuresOf(results, key, metric).values()]) as [number[], number[]];
    return candidate(key, metric, before, after, {
      ratio: independentRatio(after, before),
      smallestP: smallestIndependentP(before.length, after.length),
      standardError: combined([before, after].map((values) => errorOf(values))),
      floor: Math.max(floorOf(noise, key, metric), Math.abs((machineRatio ?? 1) - 1)),
    });
  });
  return judge(candidates, machineRatio, (rounds) => smallestIndependentP(rounds, rounds));
}

/** Two servers of one report at every task, in the rounds that both were measured in. */
export function compareTargets(
  { cells, results }: Report,
  [base, head]: readonly [string, string],
  { noise }: Pick<ChangeOptions, "noise">,
): Changes {
  const tasks = cells.filter(({ target }) => target === base);
  const candidates = tasks.map((was): Candidate => {
    const is = cells.find((cell) => cell.target === head && isSameTask(cell, was));
    const key = { ...keyOf(was), target: head };
    const reason = missing(was, base) ?? missing(is, head);
    if (reason !== null || !is) return incomparable(key, reason ?? "");
    const metric = metricOf([was, is]);
    if (metric === "requestsPerS" && (was.isLowerBound || is.isLowerBound)) {
      return incomparable(
        key,
        "the rate was not the server's, and its processor time is not known",
      );
    }
    const before = figuresOf(results, { ...key, target: base }, metric);
    const after = figuresOf(results, key, metric);
    const rounds = [...before.keys()].filter((round) => after.has(round));
    const [a, b] = [after, before].map((of) => rounds.map((round) => of.get(round) as number));
    return candidate(key, metric, b as number[], a as number[], {
      ratio: pairedRatio(a as number[], b as number[]),
      smallestP: smallestPairedP(rounds.length),
      standardError: errorOf(rounds.map((_round, i) => (a?.[i] ?? 1) / (b?.[i] ?? 1))),
      floor: floorOf(noise, { ...key, target: base }, metric),
    });
  });
  return judge(candidates, null, smallestPairedP);
}

/** The rounds that so many comparisons within one run need to be decided at all. */
export function roundsToDecide(family: number): number {
  return roundsFor(family, smallestPairedP);
}

/** Whether a change for the worse is proven to be beyond a threshold: 0.05 is 5 %. */
export function isRegression({ verdict, metric, interval }: Change, threshold: number): boolean {
  if (verdict !== "slower" || interval === null) return false;
  return metric === "requestsPerS" ? interval.high < 1 - threshold : interval.low > 1 + threshold;
}

/** Whether a change for the worse beyond a threshold can neither be proven nor be excluded. */
export function isInconclusive(change: Change, threshold: number): boolean {
  const { metric, interval } = change;
  if (isRegression(change, threshold)) return false;
  if (interval === null) return true;
  return metric === "requestsPerS" ? interval.low < 1 - threshold : interval.high > 1 + threshold;
}

/** The verdicts, with p-values adjusted by Holm's method over all that can be compared. */
function judge(
  candidates: readonly Candidate[],
  machineRatio: number | null,
  smallestP: (rounds: number) => number,
): Changes {
  const tested = candidates.filter(({ change }) => change.pValue !== null);
  const adjusted = holm(tested.map(({ change }) => change.pValue ?? 1));
  const family = tested.length;
  const changes = candidates.map((one): Change => {
    const { change, standardError } = one;
    if (change.pValue === null) return change;
    const pValue = adjusted[tested.indexOf(one)] ?? 1;
    const isDecidable = one.smallestP * family <= ALPHA;
    const power = isDecidable && standardError !== null
      ? Math.max(change.floor, detectableChange(standardError, ALPHA / family))
      : null;
    return { ...change, pValue, detectable: power, verdict: verdictOf(change, pValue) };
  });
  const isDecidable = tested.every((one) => one.smallestP * family <= ALPHA);
  return { changes, machineRatio, neededRounds: isDecidable ? null : roundsFor(family, smallestP) };
}

function verdictOf({ interval, floor, metric }: Change, pValue: number): Change["verdict"] {
  if (interval === null || pValue > ALPHA) return "same";
  const isMore = interval.low > 1 + floor;
  if (!isMore && interval.high >= 1 - floor) return "same";
  return isMore === (metric === "requestsPerS") ? "faster" : "slower";
}

function candidate(
  key: CellKey,
  metric: Change["metric"],
  base: readonly number[],
  head: readonly number[],
  { ratio, smallestP, standardError, floor }: {
    readonly ratio: Ratio | null;
    readonly smallestP: number;
    readonly standardError: number | null;
    readonly floor: number;
  },
): Candidate {
  if (ratio === null) return incomparable(key, "there is no figure that both have");
  return {
    change: {
      ...keyOf(key),
      ...{ verdict: "same", reason: null, metric, base: median(base), head: median(head), floor },
      ...{ baseRounds: base.length, headRounds: head.length, ratio: ratio.estimate },
      ...{ interval: ratio.interval, pValue: ratio.pValue, detectable: null },
    },
    ...{ smallestP, standardError },
  };
}

function incomparable(key: CellKey, reason: string): Candidate {
  return {
    change: {
      ...keyOf(key),
      ...{ verdict: "incomparable", reason, metric: "requestsPerS", base: null, head: null },
      ...{ baseRounds: 0, headRounds: 0, ratio: null, interval: null, pValue: null },
      ...{ detectable: null, floor: 0 },
    },
    ...{ smallestP: 1, standardError: null },
  };
}

function keyOf({ target, scenario, connections }: CellKey): CellKey {
  return { target, scenario, connections };
}

function missing(cell: Cell | undefined, where: string): string | null {
  if (cell === undefined) return `not in ${where}`;
  return cell.status === "ok" ? null : `${cell.status} in ${where}: ${cell.reason}`;
}

/** The standard error of the mean, relative; null for a single value. */
function errorOf(values: readonly number[]): number | null {
  const cv = coefficientOfVariation(values);
  return cv === null ? null : cv / Math.sqrt(values.length);
}

function combined(errors: readonly (number | null)[]): number | null {
  return errors.includes(null) ? null : Math.hypot(...errors.map((error) => error ?? 0));
}

function floorOf(noise: readonly Noise[], key: CellKey, metric: Change["metric"]): number {
  return noise.find((one) => isSameCell(one, key))?.[metric]?.floor ?? 0;
}

/** How much longer the reference took, by the medians of the rounds. */
function speedRatio(base: Report, head: Report): number | null {
  const [was, is] = [base, head].map(({ results }) =>
    results.flatMap(({ window }) => window?.referenceUs ?? [])
  ) as [number[], number[]];
  return was.length === 0 || is.length === 0 ? null : median(is) / median(was);
}
