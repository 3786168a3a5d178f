import { isPresent } from "../../engine/generator_pool.ts";
import { generatorsExperiment } from "../../experiment/kinds.ts";
import { draftOf } from "../../experiment/options.ts";
import { select } from "../../experiment/select.ts";
import { generatorsText } from "../../view/generators_text.ts";
import type { Io } from "../io.ts";
import { carryOut } from "../measure.ts";
import { type MeasureOptions, settingsOf } from "../run_settings.ts";

const DEFAULT_SCENARIO = "text";

/**
 * Runs `generators`: measures one server with each installed load generator, in the same rounds.
 *
 * @returns the exit code
 */
export async function generators(
  args: readonly string[],
  options: MeasureOptions,
  io: Io,
): Promise<number> {
  const scenarios = args.length > 0 ? args : [DEFAULT_SCENARIO];
  const draft = draftOf(await select(scenarios, options, io.path), options);
  const settings = await settingsOf(options, io);
  const all = await settings.testbed().generators();
  const ids = all.filter(isPresent).map(({ generator }) => generator.id);
  const missing = all.flatMap(({ generator: { id }, found }) =>
    "install" in found ? [{ id, install: found.install }] : []
  );
  return await carryOut(generatorsExperiment(draft, ids), settings, io, {
    print: (report) => io.say(generatorsText(report, missing, io.screen)),
  });
}
