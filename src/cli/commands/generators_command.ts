/** Makes the output of `bench generators`. */

import { isPresent } from "../../engine/generator_pool.ts";
import { generatorsExperiment } from "../../experiment/kinds.ts";
import { draftOf } from "../../experiment/options.ts";
import { select } from "../../experiment/select.ts";
import type { Report } from "../../model/report.ts";
import { draw, type Screen } from "../../view/draw.ts";
import { environment } from "../../view/environment_text.ts";
import { wrap } from "../../view/table.ts";
import { generatorsTable } from "../../view/tables/experiment_tables.ts";
import type { Io } from "../io.ts";
import { carryOut } from "../measure.ts";
import { type MeasureOptions, settingsOf } from "../run_settings.ts";

const LEGEND =
  "One server under each load generator, in the same rounds: the rate, the CPU time per response of the " +
  "generator and of the server, and the bottleneck. If the generator is the bottleneck, the rate is the " +
  "generator's, and the server's CPU/req includes some waiting. Compare CPU/req of servers only under one " +
  "generator.";

/**
 * Returns the load generators side by side, for a terminal.
 *
 * @param missing load generators that are not installed, with the command that installs them
 */
function generatorsText(
  report: Report,
  missing: readonly { readonly id: string; readonly install: string }[],
  screen: Screen,
): string {
  return [
    "",
    ...draw(generatorsTable(report), screen),
    ...missing.map(({ id, install }) => `${id.padEnd(12)}not installed: ${install}`),
    "",
    ...wrap(LEGEND, screen.columns, ""),
    ...environment(report),
    "",
  ].join("\n");
}

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
