import { isPresent } from "../../engine/generator_pool.ts";
import { generatorsExperiment } from "../../experiment/generators_experiment.ts";
import { select } from "../../experiment/select.ts";
import { generatorsText } from "../../view/generators_text.ts";
import { dryRun } from "../dry_run.ts";
import { finish } from "../finish.ts";
import type { Io } from "../io.ts";
import { measure, testbedOptions } from "../measure.ts";
import type { RunOptions } from "../run_scenarios.ts";

const DEFAULT_SCENARIO = "text";

/**
 * Runs `generators`: measures one server with each installed load generator, in the same rounds.
 *
 * @returns the exit code
 */
export async function generators(
  args: readonly string[],
  options: RunOptions,
  io: Io,
): Promise<number> {
  const all = await io.testbed(testbedOptions(options, io)).generators();
  const ids = all.filter(isPresent).map(({ generator }) => generator.id);
  const missing = all.flatMap(({ generator: { id }, found }) =>
    "install" in found ? [{ id, install: found.install }] : []
  );
  const selection = await select(args.length > 0 ? args : [DEFAULT_SCENARIO], options, io.path);
  const experiment = generatorsExperiment(selection, options, ids);
  if (options.dryRun) return await dryRun(experiment, { ...options, isJson: false }, io);
  const outcome = await measure(experiment, options, io, (report) => report);
  io.say(generatorsText(outcome.report, missing, io.screen));
  return finish(outcome, false, io);
}
