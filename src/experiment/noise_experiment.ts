import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import { compose } from "./compose.ts";
import { type ExperimentOptions, FIGURES } from "./options.ts";
import type { Selection } from "./select.ts";

/**
 * Makes an experiment that compares a server with itself, as two variants. Any difference between these
 * variants is noise.
 *
 * @throws {UsageError} for several servers, or several numbers of connections.
 */
export function noiseExperiment(
  { servers: [server, ...others], scenarios, reference }: Selection,
  options: ExperimentOptions,
): Experiment {
  if ((options.connections?.length ?? 0) > 1) {
    throw new UsageError("Cannot measure the noise with several --connections at once");
  }
  if (server === undefined || others.length > 0) {
    throw new UsageError("Cannot measure the noise of several servers at once: name one");
  }
  const variantSpecs = [{ server }, { server, id: `${server.id}-again` }];
  return compose("noise", { variantSpecs, scenarios, reference }, options, {
    ...FIGURES,
    fallback: null,
  });
}
