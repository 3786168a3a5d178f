import { capacityExperiment } from "../../experiment/kinds.ts";
import { draftOf } from "../../experiment/options.ts";
import { DEFAULT_SLO, parseSlo } from "../../experiment/parse_slo.ts";
import { select } from "../../experiment/select.ts";
import type { Slo } from "../../model/slo.ts";
import type { Io } from "../io.ts";
import { carryOut } from "../measure.ts";
import { settingsOf } from "../run_settings.ts";
import { type TableOptions, tablesOf } from "./run_command.ts";

/**
 * Runs `capacity`: finds the highest rate at which each server meets an SLO, and measures response times at
 * shares of it.
 *
 * @returns the exit code
 */
export async function capacity(
  args: readonly string[],
  options: TableOptions & { readonly slo?: Slo },
  io: Io,
): Promise<number> {
  const draft = draftOf(await select(args, options, io.path), options);
  const experiment = capacityExperiment(draft, options.slo ?? parseSlo(DEFAULT_SLO));
  const presentation = tablesOf(experiment, options, io);
  return await carryOut(experiment, await settingsOf(options, io), io, presentation);
}
