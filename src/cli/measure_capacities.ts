import { run } from "../engine/run.ts";
import { type Capacities, pilotExperiment } from "../experiment/rate_experiment.ts";
import type { ExperimentOptions } from "../experiment/options.ts";
import type { Selection } from "../experiment/select.ts";
import { Failure } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { createProgress } from "../view/progress.ts";
import type { Io } from "./io.ts";
import { type TestbedOptions, testbedOptions } from "./measure.ts";

/**
 * What the slowest of the servers answers at each scenario, in a closed loop of a second: what rates are taken
 * from that are shares of it. Its report is not kept.
 *
 * @throws {Failure} if a scenario has no rate.
 */
export async function measureCapacities(
  selection: Selection,
  options: ExperimentOptions & TestbedOptions,
  io: Io,
): Promise<Capacities> {
  const experiment = pilotExperiment(selection, options);
  const progress = createProgress({ ...io.progress, variants: experiment.variants.length });
  let report: Report | null = null;
  try {
    for await (const event of run(experiment, io.testbed(testbedOptions(options, io)), io.stop)) {
      if (event.kind === "report") report = event.report;
      progress.show(event);
    }
  } finally {
    progress.close();
  }
  const results = report?.results ?? [];
  return Object.fromEntries(selection.scenarios.map(({ id }) => {
    const rates = results.filter(({ scenario }) => scenario === id)
      .flatMap(({ requestsPerS }) => requestsPerS?.median ?? []);
    if (rates.length === 0) {
      throw new Failure(`Cannot take a share of what ${id} is answered: no server answered it`);
    }
    return [id, Math.min(...rates)];
  }));
}
