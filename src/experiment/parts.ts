/** The parts of a plan. In each, servers keep their processes. A resumed run leaves out complete parts. */
import { resultKeyOf, workloadOf } from "../analysis/keys.ts";
import type { Block } from "../model/block.ts";
import { UsageError } from "../model/errors.ts";
import type { Plan } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { count } from "../model/text.ts";
import { SCALE_WINDOWS } from "./planner.ts";

/** Returns the parts of a plan in order: its rounds or, with fresh processes, each scenario of a round. */
export function partsOf({ trials, blocks }: Plan, isFresh: boolean): Plan[] {
  const parts = [...Map.groupBy([...trials, ...blocks], (one) => partOf(one, isFresh))];
  const roundOf = ([_part, [first]]: typeof parts[number]): number => first?.round ?? 0;
  return parts.toSorted((a, b) => roundOf(a) - roundOf(b)).map(([part]) => ({
    trials: trials.filter((trial) => partOf(trial, isFresh) === part),
    blocks: blocks.filter((block) => partOf(block, isFresh) === part),
  }));
}

function partOf({ round, scenario }: Trial | Block, isFresh: boolean): string {
  return isFresh ? `${round} ${scenario}` : String(round);
}

/** The properties of the report of a resumed run that decide what is left of its plan. */
export type Earlier = Pick<Report, "trialResults" | "blocks" | "complete" | "experiment">;
type Measurements = Pick<Report, "trialResults" | "blocks">;

/**
 * Divides a plan of which an earlier run has measured a part. `left` is the rest, `kept` are the measurements
 * that count. Incomplete parts are measured again: slices may need processes that windows have warmed up.
 *
 * @param mayAdd whether rounds may be added to a complete run
 * @throws {UsageError} if nothing is left, a load differs, or more than the interrupted part is incomplete.
 */
export function resume(
  plan: Plan,
  earlier: Earlier,
  isFresh: boolean,
  mayAdd = false,
): { readonly left: Plan; readonly kept: Measurements } {
  const measured = measuredIn(earlier);
  const isThere = isMeasuredIn(earlier);
  const left = partsOf(plan, isFresh).filter(({ trials, blocks }) =>
    ![...trials, ...blocks].every(isThere)
  );
  const rest = {
    trials: left.flatMap(({ trials }) => trials),
    blocks: left.flatMap(({ blocks }) => blocks),
  };
  const again = new Set([...rest.trials, ...rest.blocks].map((one) => partOf(one, isFresh)));
  const { complete, experiment: { design: { rounds } } } = earlier;
  if (again.size === 0 && complete && !mayAdd) {
    const last = Math.max(0, ...measured.map(({ round }) => round));
    throw new UsageError(
      `Cannot resume the run: it already has ${count(last, "round")}; ask for more with --rounds`,
    );
  }
  // Added rounds measure only some results
  const dropped = new Set(
    measured.filter(({ round }) => round <= rounds).map((one) => partOf(one, isFresh))
      .filter((part) => again.has(part)),
  );
  if (dropped.size > 1) {
    throw new UsageError(
      `Cannot resume the run: ${dropped.size} of its parts are incomplete; measure anew`,
    );
  }
  const isKept = (one: Trial | Block): boolean =>
    one.purpose !== "measure" || !again.has(partOf(one, isFresh));
  return {
    left: rest,
    kept: {
      trialResults: withoutPartialTests(earlier.trialResults).filter(({ trial }) => isKept(trial)),
      blocks: earlier.blocks.filter(({ block }) => isKept(block)),
    },
  };
}

function measuredIn({ trialResults, blocks }: Measurements): (Trial | Block)[] {
  return [...trialResults.map(({ trial }) => trial), ...blocks.map(({ block }) => block)]
    .filter(({ purpose }) => purpose === "measure");
}

/** Returns a function that says whether a window or block needs no measurement any more. */
function isMeasuredIn(earlier: Earlier): (planned: Trial | Block) => boolean {
  const { experiment: { design: { rounds } } } = earlier;
  const measured = new Map(measuredIn(earlier).map((one) => [idOf(one), one]));
  const lastRound = lastRoundOf(earlier);
  /** Results of which a run leaves out the later windows, after a failure. */
  const given = new Set<string>();
  const started = new Set<string>();
  for (const { trial, window, failure } of earlier.trialResults) {
    if (window !== null) started.add(trial.variant);
    const isStart = failure?.kind === "start" && !started.has(trial.variant);
    if (failure?.kind === "verification" || isStart) given.add(resultOf(trial));
  }
  return (planned) => {
    const found = measured.get(idOf(planned));
    if (found === undefined) {
      return "variant" in planned && planned.round <= lastRound && given.has(resultOf(planned));
    }
    const [was, is] = [loadOf(found), loadOf(planned)];
    if (was === is) return true;
    if (planned.round > rounds) return false; // an added round has only some results
    throw new UsageError(
      `Cannot resume the run, because the load of ${planned.scenario} differs:\n${was}, now\n${is}`,
    );
  };
}

/** Returns the trial results without those of scale tests that were interrupted. */
function withoutPartialTests(trialResults: readonly TrialResult[]): TrialResult[] {
  const testOf = ({ trial }: TrialResult): string => `${trial.round} ${resultOf(trial)}`;
  const isOfTest = ({ trial }: TrialResult): boolean => trial.purpose === "scale";
  const tests = Map.groupBy(trialResults.filter(isOfTest), testOf);
  return trialResults.filter((one) =>
    !isOfTest(one) || tests.get(testOf(one))?.length === SCALE_WINDOWS
  );
}

/** Returns the number of rounds with windows or slices that count. */
export function roundsIn(measurements: Measurements): number {
  return new Set(measuredIn(measurements).map(({ round }) => round)).size;
}

/** Returns the number of the last round with a measurement of any purpose; 0 without one. */
export function lastRoundOf({ trialResults, blocks }: Measurements): number {
  return [...trialResults.map(({ trial }) => trial), ...blocks.map(({ block }) => block)]
    .reduce((last, { round }) => Math.max(last, round), 0);
}

/** Returns the id of the load generator that drove the windows of a scenario; undefined without one. */
export function driverOf({ trialResults }: Measurements, scenario: string): string | undefined {
  return trialResults.find(({ trial }) =>
    trial.purpose === "measure" && trial.scenario === scenario
  )?.trial.generator;
}

function resultOf(trial: Trial): string {
  return JSON.stringify(resultKeyOf(trial));
}

function idOf(one: Trial | Block): string {
  return `${one.round} ${"variant" in one ? resultOf(one) : JSON.stringify(workloadOf(one))}`;
}

/** Returns the load of a window with its load generator, or that of a block, as text. */
function loadOf(one: Trial | Block): string {
  if ("variant" in one) return JSON.stringify({ generator: one.generator, ...one.load });
  const { purpose: _purpose, round: _round, variants, ...load } = one;
  return JSON.stringify({ variants: variants.toSorted(), ...load });
}
