import type { TrialResult } from "../model/raw.ts";
import { type CellContext, deriveCells } from "./cells.ts";

/** The scenarios at which the load generator was the limit of a probe, or may have been: each once. */
export function limitedByGenerator(
  probes: readonly TrialResult[],
  context: CellContext,
): Set<string> {
  // By themselves they are judged as windows are
  const windows = probes.map(({ trial, ...rest }): TrialResult => ({
    ...rest,
    trial: { ...trial, purpose: "measure" },
  }));
  const limited = deriveCells(windows, context).filter(({ verdict }) =>
    verdict?.limit === "generator" || verdict?.needsScaleTest === "shards"
  );
  return new Set(limited.map(({ scenario }) => scenario));
}
