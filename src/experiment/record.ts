import type { Arm, ArmRecord, Experiment, ExperimentRecord } from "../model/experiment.ts";

/** An experiment as it is printed, and as reports hold it. */
export function recordOf(
  { kind, arms, reference, scenarios, load, design, search }: Experiment,
): ExperimentRecord {
  return {
    kind,
    arms: arms.map(armRecordOf),
    reference: reference && armRecordOf(reference),
    scenarios: scenarios.map(({ id }) => id),
    load,
    design,
    search,
  };
}

function armRecordOf({ id, label, server, generator, env }: Arm): ArmRecord {
  return { id, label, server: server.id, generator, env };
}
