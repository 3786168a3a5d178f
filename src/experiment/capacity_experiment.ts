import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import { compose } from "./compose.ts";
import { parseSlo } from "./parse_slo.ts";
import {
  BUILT_IN_GENERATOR,
  CURVE_SHARES,
  DEFAULT_SLO,
  type ExperimentOptions,
  openPlanOf,
  SEARCH,
} from "./options.ts";
import type { Selection } from "./select.ts";

/**
 * Makes an experiment that finds the highest rate at which each server meets an SLO, at each scenario.
 *
 * @throws {UsageError} for several numbers of connections, or an SLO without a latency limit.
 */
export function capacityExperiment(
  { servers, scenarios }: Selection,
  options: ExperimentOptions,
): Experiment {
  if ((options.connections?.length ?? 0) > 1) {
    throw new UsageError("Cannot search for a capacity with several --connections at once");
  }
  const slo = options.slo ?? parseSlo(DEFAULT_SLO);
  if (slo.latencies.length === 0) {
    throw new UsageError(
      "Cannot search for a capacity without a latency limit such as p99<10ms in --slo",
    );
  }
  const variantSpecs = servers.map((server) => ({ server, generator: BUILT_IN_GENERATOR }));
  const load = openPlanOf(options, { perS: {}, closedLoopPerS: {} });
  const experiment = compose("capacity", { variantSpecs, scenarios }, options, SEARCH, load);
  const { width } = experiment.design;
  return { ...experiment, search: { slo, width, shares: CURVE_SHARES } };
}
