import type { Experiment } from "../model/experiment.ts";
import { compose } from "./compose.ts";
import { type ExperimentOptions, FIGURES } from "./options.ts";
import type { Selection } from "./select.ts";

/** Servers at scenarios, each for its own figures. */
export function runExperiment(
  { servers, scenarios, reference }: Selection,
  options: ExperimentOptions,
): Experiment {
  const sides = servers.map((server) => ({ server }));
  return compose("run", { sides, scenarios, reference }, options, FIGURES);
}
