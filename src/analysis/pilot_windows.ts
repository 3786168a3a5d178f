import type { Result } from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import { deriveResults, type ResultContext } from "./derive_results.ts";

/**
 * Minimum ratio of the time that the generator's busiest thread runs to that of the busiest thread of server
 * and database. From this ratio on, the generator would be the bottleneck. The ratio does not depend on other
 * programs. With the suite's scenarios it was 1.03 to 1.34 if autocannon was the bottleneck, and at most 0.5
 * otherwise.
 */
const LIMITING = 0.9;
/**
 * Minimum share of time that the generator's busiest thread runs or waits for a processor. Below it, the
 * generator is not the bottleneck.
 */
const BUSY = 0.5;

/** Returns the scenarios for which pilot windows show the load generator as the bottleneck. */
export function limitedByGenerator(
  pilots: readonly TrialResult[],
  context: ResultContext,
): Set<string> {
  // Without other trials, pilot windows are judged like measured windows.
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
