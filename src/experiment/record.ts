import type { Experiment, ExperimentRecord, Variant, VariantRecord } from "../model/experiment.ts";

/** Returns an experiment in the form that reports contain and `--json` prints. */
export function recordOf(
  { kind, variants, reference, scenarios, load, design, search }: Experiment,
): ExperimentRecord {
  return {
    kind,
    variants: variants.map(variantRecordOf),
    reference: reference && variantRecordOf(reference),
    scenarios: scenarios.map(({ id }) => id),
    load,
    design,
    search,
  };
}

function variantRecordOf({ id, label, server, generator, env }: Variant): VariantRecord {
  return { id, label, server: server.id, generator, env };
}
