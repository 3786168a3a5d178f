/** The parts of a plan. In each, servers keep their processes. A resumed run leaves out complete parts. */
import { resultKeyOf, workloadOf } from "../analysis/keys.ts";
import type { Block } from "../model/block.ts";
import { UsageError } from "../model/errors.ts";
import type { Plan } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";

/** The windows and slices of a report. */
export type Measurements = Pick<Report, "trialResults" | "blocks">;

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

/**
 * Divides a plan of which an earlier run has measured a part. `left` is the rest, `kept` are the measurements
 * that count. Incomplete parts are measured again: slices may need processes that windows have warmed up.
 *
 * @throws {UsageError} if another load generator drove the earlier windows.
 */
export function resume(
  plan: Plan,
  earlier: Measurements,
  isFresh: boolean,
): { readonly left: Plan; readonly kept: Measurements } {
  const trialResults = earlier.trialResults.filter(({ trial }) => trial.purpose === "measure");
  const blocks = earlier.blocks.filter(({ block }) => block.purpose === "measure");
  const windows = new Map(trialResults.map((one) => [idOfTrial(one.trial), one]));
  const sliced = new Set(blocks.map(({ block }) => idOfBlock(block)));
  const lastRound = lastRoundOf(earlier);
  // After such a failure, a run leaves out the later windows of the result
  const given = new Set(
    trialResults.flatMap(({ trial, failure }) =>
      failure === null || failure.kind === "window" ? [] : pairOf(trial)
    ),
  );
  const isThere = (trial: Trial): boolean => {
    const found = windows.get(idOfTrial(trial));
    if (found === undefined) return trial.round <= lastRound && given.has(pairOf(trial));
    if (found.trial.generator === trial.generator) return true;
    const { variant, scenario, generator } = found.trial;
    throw new UsageError(
      `Cannot resume the run: ${generator} drove ${scenario} at ${variant}, and ${trial.generator} would now: add --generator ${generator}`,
    );
  };
  const left = partsOf(plan, isFresh).filter((part) =>
    !(part.trials.every(isThere) && part.blocks.every((block) => sliced.has(idOfBlock(block))))
  );
  const again = new Set(
    left.flatMap(({ trials, blocks }) => [...trials, ...blocks])
      .map((one) => partOf(one, isFresh)),
  );
  const isKept = (one: Trial | Block): boolean =>
    one.purpose !== "measure" || !again.has(partOf(one, isFresh));
  return {
    left: {
      trials: left.flatMap(({ trials }) => trials),
      blocks: left.flatMap(({ blocks }) => blocks),
    },
    kept: {
      trialResults: earlier.trialResults.filter(({ trial }) => isKept(trial)),
      blocks: earlier.blocks.filter(({ block }) => isKept(block)),
    },
  };
}

/** Returns the number of the last round with a measurement; 0 without one. */
export function lastRoundOf({ trialResults, blocks }: Measurements): number {
  return [...trialResults.map(({ trial }) => trial), ...blocks.map(({ block }) => block)]
    .reduce((last, { round }) => Math.max(last, round), 0);
}

function pairOf({ variant, scenario }: Trial): string {
  return `${variant} ${scenario}`;
}

function idOfTrial(trial: Trial): string {
  return JSON.stringify([trial.round, resultKeyOf(trial)]);
}

function idOfBlock(block: Block): string {
  return JSON.stringify([block.round, workloadOf(block)]);
}
