import { namedGenerators } from "../engine/choose_generators.ts";
import { Planner } from "../experiment/plan.ts";
import { recordOf } from "../experiment/record.ts";
import type { Arm, Experiment } from "../model/experiment.ts";
import { claimPath } from "../results/store.ts";
import { Toolchain } from "../target/toolchain.ts";
import { describePlan } from "../view/plan.ts";
import type { Io } from "./io.ts";
import { labOptions, type MeasureOptions } from "./measure.ts";

/**
 * Prints an experiment, its first rounds, and the servers that cannot be had here; starts nothing.
 *
 * @throws {UsageError} for what the run itself would refuse.
 * @throws {Failure} if its report could not be written.
 */
export async function dryRun(
  experiment: Experiment,
  { isJson, ...options }: MeasureOptions & { readonly isJson: boolean },
  io: Io,
): Promise<number> {
  namedGenerators(experiment, await io.lab(labOptions(options, io)).generators());
  if (options.out !== undefined) await claimPath(io.path(options.out));
  const toolchain = new Toolchain();
  const { reference } = experiment;
  const missing = await Promise.all(
    [...experiment.arms, ...(reference === null ? [] : [reference])].map(async (
      { id, server },
    ) => ({
      id,
      reason: await toolchain.missing(server),
    })),
  );
  const skipped = missing.flatMap(({ id, reason }) => reason === null ? [] : [{ id, reason }]);
  const isThere = ({ id }: Arm): boolean => !skipped.some((one) => one.id === id);
  const planner = new Planner(experiment, {
    arms: experiment.arms.filter(isThere),
    reference: reference !== null && isThere(reference) ? reference : null,
  });
  const probes = planner.probes();
  const rounds = planner.firstRounds();
  const plan = { ...rounds, trials: [...probes.trials, ...rounds.trials] };
  const record = recordOf(experiment);
  io.out(
    isJson
      ? JSON.stringify({ experiment: record, ...plan, skipped })
      : describePlan(record, plan, skipped),
  );
  return 0;
}
