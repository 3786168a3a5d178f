import type { ArmRecord, ExperimentRecord, Trial } from "../model/experiment.ts";
import { count, duration, share } from "./format.ts";
import { withReason } from "./reasons.ts";

/** A server that will not be measured, and what it lacks. */
export interface Skipped {
  readonly id: string;
  readonly reason: string;
}

/** The plan of an experiment: what it is, a line for each window, and what may follow or be missing. */
export function describePlan(
  { kind, arms, scenarios, design }: ExperimentRecord,
  trials: readonly Trial[],
  estimateS: number,
  skipped: readonly Skipped[],
): string {
  const widest = (names: readonly string[]): number =>
    Math.max(0, ...names.map((name) => name.length));
  const armWidth = widest(trials.map(({ arm }) => arm));
  const scenarioWidth = widest(trials.map(({ scenario }) => scenario));
  const windows = trials.map(({ index, round, arm, scenario, load }) => {
    const window = load.answers === null
      ? `${load.durationS} s`
      : `${load.answers} answers (about ${load.durationS} s)`;
    return [
      `${String(index + 1).padStart(4)}  round ${round}`,
      arm.padEnd(armWidth),
      scenario.padEnd(scenarioWidth),
      `${count(load.connections, "connection")}, ${load.warmupS} s warm-up, ${window}`,
    ].join("  ");
  });
  const generators = [...new Set(arms.map(({ generator }) => generator))].join(", ");
  const budgetS = design.budgetS ?? design.budgetShare * estimateS;
  return [
    `${kind}: ${driven(arms)}, at ${scenarios.join(", ")}`,
    ...windows,
    `${count(trials.length, "window")} with ${generators}, seed ${design.seed}, about ${
      duration(estimateS)
    }`,
    ...(design.maxRounds > design.rounds
      ? [
        `then up to round ${design.maxRounds}, ${
          duration(budgetS)
        } at most, where intervals are wider than ${share(design.width)}`,
      ]
      : []),
    ...skipped.map(({ id, reason }) => withReason(`skipped: ${id}`, reason)),
  ].join("\n");
}

/** Arms with their load generators: `deno, bun with autocannon; again with wrk`. */
function driven(arms: readonly ArmRecord[]): string {
  const groups = Map.groupBy(arms, ({ generator }) => generator);
  return [...groups].map(([generator, own]) =>
    `${own.map(({ id }) => id).join(", ")} with ${generator}`
  ).join("; ");
}
