import { noiseExperiment } from "../../experiment/kinds.ts";
import { draftOf } from "../../experiment/options.ts";
import { select } from "../../experiment/select.ts";
import { noiseText } from "../../view/noise_text.ts";
import type { Io } from "../io.ts";
import { carryOut } from "../measure.ts";
import { type MeasureOptions, settingsOf } from "../run_settings.ts";

/**
 * Runs `noise`: measures a server against itself. The result is the noise floor: smaller differences
 * between servers mean nothing.
 *
 * @returns the exit code
 */
export async function noise(
  args: readonly string[],
  options: MeasureOptions,
  io: Io,
): Promise<number> {
  const experiment = noiseExperiment(draftOf(await select(args, options, io.path), options));
  return await carryOut(experiment, await settingsOf(options, io), io, {
    print: (report) => io.say(noiseText(report, io.screen)),
  });
}
