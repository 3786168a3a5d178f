import { estimateS, Planner } from "../experiment/plan.ts";
import { recordOf } from "../experiment/record.ts";
import type { Experiment } from "../model/experiment.ts";
import { Toolchain } from "../target/toolchain.ts";
import { describePlan } from "../view/plan.ts";
import type { Io } from "./io.ts";

/** Prints an experiment, its first rounds, and the servers that cannot be had here; starts nothing. */
export async function dryRun(
  experiment: Experiment,
  isJson: boolean,
  io: Io,
): Promise<number> {
  const toolchain = new Toolchain();
  const missing = await Promise.all(
    experiment.arms.map(async ({ id, server }) => ({
      id,
      reason: await toolchain.missing(server),
    })),
  );
  const skipped = missing.flatMap(({ id, reason }) => reason === null ? [] : [{ id, reason }]);
  const arms = experiment.arms.filter(({ id }) => !skipped.some((one) => one.id === id));
  const trials = new Planner(experiment, arms).firstRounds();
  const record = recordOf(experiment);
  io.out(
    isJson
      ? JSON.stringify({ experiment: record, trials, skipped })
      : describePlan(record, trials, estimateS(trials), skipped),
  );
  return 0;
}
