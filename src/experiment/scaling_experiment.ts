import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import { compose, type VariantSpec } from "./compose.ts";
import { type ExperimentOptions, FIGURES } from "./options.ts";
import type { Selection } from "./select.ts";

/**
 * Makes an experiment that compares servers with themselves at several numbers of workers. The total number
 * of database connections stays the same.
 *
 * @throws {UsageError} for servers with a fixed number of workers.
 */
export function scalingExperiment(
  { servers, scenarios, reference }: Selection,
  options: ExperimentOptions,
  workers: readonly number[],
): Experiment {
  const fixed = servers.filter(({ workers }) => workers !== "configurable");
  if (fixed.length > 0) {
    const names = fixed.map(({ id }) => id).join(", ");
    throw new UsageError(
      `Cannot set --workers of ${names}: choose servers with a configurable number, such as deno-workers`,
    );
  }
  const variantSpecs = servers.flatMap((server) =>
    workers.map((count): VariantSpec => ({
      server,
      id: `${server.id}-x${count}`,
      label: `${server.name}, ${count === 1 ? "1 worker" : `${count} workers`}`,
      env: { WORKERS: String(count) },
    }))
  );
  return compose("scaling", { variantSpecs, scenarios, reference }, options, FIGURES);
}
