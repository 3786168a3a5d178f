import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import { compose } from "./compose.ts";
import { type ExperimentOptions, openPlanOf, OWN_GENERATOR, RESPONSES } from "./options.ts";
import type { Selection } from "./select.ts";

/**
 * Servers at scenarios under given rates: how long users wait, and what an answer costs.
 *
 * @param rates requests a second
 * @throws {UsageError} for a load generator that cannot send at a rate, and for several numbers of
 * connections.
 */
export function rateExperiment(
  { servers, scenarios }: Selection,
  options: ExperimentOptions,
  rates: readonly number[],
): Experiment {
  const { generator, connections } = options;
  if (generator !== undefined && generator !== OWN_GENERATOR) {
    throw new UsageError(
      `${generator} cannot send at a --rate here: leave --generator out, or take ${OWN_GENERATOR}`,
    );
  }
  if ((connections?.length ?? 0) > 1) {
    throw new UsageError("Cannot measure several --connections and a --rate at once");
  }
  const sides = servers.map((server) => ({ server, generator: OWN_GENERATOR }));
  return compose(
    "rate",
    { sides, scenarios },
    options,
    RESPONSES,
    openPlanOf(options, rates),
  );
}
