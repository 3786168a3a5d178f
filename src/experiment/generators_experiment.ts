import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import { compose } from "./compose.ts";
import { type ExperimentOptions, WINDOWS } from "./options.ts";
import type { Selection } from "./select.ts";

/**
 * Makes an experiment that measures one server with several load generators.
 *
 * @param generators ids of the load generators
 * @throws {UsageError} for several servers.
 */
export function generatorsExperiment(
  { servers: [server, ...others], scenarios }: Selection,
  options: ExperimentOptions,
  generators: readonly string[],
): Experiment {
  if (server === undefined || others.length > 0) {
    throw new UsageError("Cannot compare load generators at several servers at once: name one");
  }
  const variantSpecs = generators.map((generator) => ({ server, id: generator, generator }));
  return compose("generators", { variantSpecs, scenarios }, options, WINDOWS);
}
