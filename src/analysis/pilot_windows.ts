import type { Result } from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import { deriveResults, type ResultContext } from "./derive_results.ts";

/**
 * The load generator would be the bottleneck if its busiest thread runs at least this share of what the busiest thread of
 * server and database runs, for the same requests. The ratio of two programs in one window is the same on a busy
 * machine. At the scenarios of the suite it was 1.03 to 1.34 where autocannon was the bottleneck, and 0.5 at most elsewhere.
 */
const LIMITING = 0.9;
/** And if its thread was busy at all, or waited for a processor: a share of the time. */
const BUSY = 0.5;

/** The scenarios at which the load generator was the bottleneck of a probe, or would be: each once. */
export function limitedByGenerator(
  pilots: readonly TrialResult[],
  context: ResultContext,
): Set<string> {
  // By themselves they are judged as windows are
  const windows = pilots.map(({ trial, ...rest }): TrialResult => ({
    ...rest,
    trial: { ...trial, purpose: "measure" },
  }));
  const limited = deriveResults(windows, context).filter(isGeneratorBottleneck);
  return new Set(limited.map(({ scenario }) => scenario));
}

function isGeneratorBottleneck({ bottleneck }: Result): boolean {
  if (bottleneck === null) return false;
  const { generator, server, database } = bottleneck.evidence;
  const [own, other] = [generator?.busiestThread ?? null, server?.busiestThread ?? null];
  if (own === null || other === null) {
    return bottleneck.kind === "generator" || bottleneck.needsScaleTest === "shards";
  }
  const isBusy = own + (generator?.runQueueWait ?? 0) >= BUSY;
  return isBusy && own >= LIMITING * Math.max(other, database?.busiestThread ?? 0);
}
