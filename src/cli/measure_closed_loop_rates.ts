import { run } from "../engine/run.ts";
import { type ClosedLoopRates, pilotExperiment } from "../experiment/rate_experiment.ts";
import type { ExperimentOptions } from "../experiment/options.ts";
import type { Selection } from "../experiment/select.ts";
import { Failure } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { createProgress } from "../view/progress.ts";
import type { Io } from "./io.ts";
import { type TestbedOptions, testbedOptions } from "./measure.ts";

/**
 * Measures the rate of the slowest server at each scenario, in a closed loop of one second. A --rate
 * in percent means a share of that rate. The report of this measurement is not kept.
 *
 * @returns responses per second by scenario
 * @throws {Failure} if no server answers a scenario
 */
export async function measureClosedLoopRates(
  selection: Selection,
  options: ExperimentOptions & TestbedOptions,
  io: Io,
): Promise<ClosedLoopRates> {
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
      throw new Failure(
        `Cannot take a share of the rate at ${id}: no server answered it; give --rate in requests per second`,
      );
    }
    return [id, Math.min(...rates)];
  }));
}
