import { resolve } from "node:path";
import { namedGenerators } from "../engine/choose_generators.ts";
import { Planner } from "../experiment/planner.ts";
import { SearchPlanner } from "../experiment/search_plan.ts";
import { recordOf } from "../experiment/record.ts";
import { UsageError } from "../model/errors.ts";
import type { Plan } from "../model/events.ts";
import { FINE } from "../model/exit_codes.ts";
import type { Experiment, Variant } from "../model/experiment.ts";
import { toJson } from "../model/text.ts";
import { claimPath, defaultPath } from "../results/store.ts";
import { inspected } from "../target/inspected.ts";
import { Toolchain } from "../target/toolchain.ts";
import { describePlan } from "../view/plan_text.ts";
import type { Io } from "./io.ts";
import type { RunSettings } from "./run_settings.ts";

/**
 * Prints an experiment, its first rounds and the unavailable servers. Starts no server and no load.
 *
 * @returns the exit code
 * @throws {UsageError} if the run itself would reject its options
 * @throws {Failure} if the run could not write its report
 */
export async function dryRun(
  experiment: Experiment,
  { testbed: create, out, isQuiet }: RunSettings,
  io: Io,
): Promise<number> {
  const testbed = create();
  namedGenerators(experiment, await testbed.generators());
  const { createdAt, id } = testbed.origin;
  await claimPath(resolve(io.folder, out ?? defaultPath(createdAt, id)));
  const toolchain = new Toolchain();
  const { reference } = experiment;
  const missing = await Promise.all(
    [...experiment.variants, ...(reference === null ? [] : [reference])].map(async (
      { id, server },
    ) => ({
      id,
      reason: await toolchain.missing(server),
    })),
  );
  const skipped = missing.flatMap(({ id, reason }) => reason === null ? [] : [{ id, reason }]);
  const isThere = ({ id }: Variant): boolean => !skipped.some((one) => one.id === id);
  const variants = experiment.variants.filter(isThere);
  const plan = planOf(experiment, {
    variants,
    reference: reference !== null && isThere(reference) ? reference : null,
  });
  if (skipped.length === 0 && plan.trials.length + plan.blocks.length === 0) {
    throw new UsageError("No server implements any of the scenarios");
  }
  const lacking = variants.flatMap(({ id, server }) => {
    if (server.attached !== null) return []; // a URL has no manifest
    const scenarios = experiment.scenarios.map(({ id }) => id)
      .filter((id) => !(id in server.scenarios));
    return scenarios.length === 0 ? [] : [{ id, scenarios }];
  });
  const profiles = new Planner(experiment, { variants, reference: null }).profiles().map((
    { variant, scenario, load },
  ) => ({
    variant: variant.id,
    scenario: scenario.id,
    load,
    reason: inspected(variant.server).reason,
  }));
  const record = recordOf(experiment);
  const searchS = experiment.search === null
    ? null
    : new SearchPlanner(experiment, variants).mostS();
  if (isQuiet) io.out(toJson({ experiment: record, ...plan, profiles, skipped, lacking }));
  else io.say(describePlan(record, plan, { skipped, lacking, profiles, searchS }));
  return FINE;
}

/** Returns the pilot windows and the first rounds; for a capacity search, only its pilot windows. */
function planOf(
  experiment: Experiment,
  available: Pick<Experiment, "variants" | "reference">,
): Plan {
  if (experiment.search !== null) return new SearchPlanner(experiment, available.variants).pilots();
  const planner = new Planner(experiment, available);
  const pilots = planner.pilots();
  const { trials, blocks } = planner.firstRounds();
  return { trials: [...pilots.trials, ...trials], blocks };
}
