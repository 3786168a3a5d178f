import type { Experiment, ExperimentRecord } from "../model/experiment.ts";

/** An experiment as it is printed, and as reports hold it. */
export function recordOf({ kind, arms, scenarios, load, design }: Experiment): ExperimentRecord {
  return {
    kind,
    arms: arms.map(({ id, label, server, generator, env }) => ({
      id,
      label,
      server: server.id,
      generator,
      env,
    })),
    scenarios: scenarios.map(({ id }) => id),
    load,
    design,
  };
}
