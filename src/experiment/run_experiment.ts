import type { Experiment } from "../model/experiment.ts";
import { compose, isSliced } from "./compose.ts";
import { type ExperimentOptions, FIGURES, FIGURES_OF_MANY, MANY } from "./options.ts";
import type { Selection } from "./select.ts";

/** Makes an experiment that measures each server at each scenario. */
export function runExperiment(
  { servers, scenarios, reference }: Selection,
  options: ExperimentOptions,
): Experiment {
  const variantSpecs = servers.map((server) => ({ server }));
  const parts = { variantSpecs, scenarios, reference };
  const isMany = servers.length >= MANY && isSliced(parts, options);
  return compose("run", parts, options, isMany ? FIGURES_OF_MANY : FIGURES);
}
