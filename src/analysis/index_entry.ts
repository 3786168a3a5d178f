import type { MedianWithInterval } from "../model/estimate.ts";
import type { IndexEntry } from "../model/history.ts";
import type { Report } from "../model/report.ts";
import { keyOf } from "./result_key.ts";

/** Whether a run says something of servers: not of one against itself, or under several load generators. */
export function isOfServers({ kind }: Pick<IndexEntry, "kind">): boolean {
  return kind === "run" || kind === "preset";
}

/** Whether figures are of one round: a look, such as `--quick`, and not a measurement. */
export function isSmokeRun(results: readonly { readonly rounds: number }[]): boolean {
  return results.every(({ rounds }) => rounds < 2);
}

/**
 * What is remembered of a run.
 *
 * @param file the name of its report
 */
export function entryOf(file: string, report: Report): IndexEntry {
  const { createdAt, commit, complete, host, versions, experiment: { kind, reference } } = report;
  return {
    file,
    createdAt,
    commit,
    kind,
    complete,
    tls: report.experiment.load.tls,
    machine: `${host.cores} x ${host.cpuModel}`,
    reference: reference && `${reference.label}, Deno ${versions.deno}`,
    results: report.results.map((result) => ({
      ...keyOf(result),
      requestsPerS: ranged(result.requestsPerS),
      isLowerBound: result.isLowerBound,
      isTakenOver: result.isTakenOver,
      serverCpuUs: ranged(result.serverCpuUs),
      relativeCpu: ranged(
        result.relativeCpu && { ...result.relativeCpu, median: result.relativeCpu.ratio },
      ),
      rounds: result.rounds,
    })),
  };
}

/** The figure and its interval, without all else that is known of it. */
function ranged(estimate: MedianWithInterval | null): MedianWithInterval | null {
  return estimate && { median: estimate.median, confidenceInterval: estimate.confidenceInterval };
}
