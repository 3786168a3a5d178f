import type { MedianWithInterval } from "../model/estimate.ts";
import type { IndexEntry } from "../model/history.ts";
import type { Report } from "../model/report.ts";
import { keyOf } from "./result_key.ts";

/** Returns whether a run compares servers, in contrast to noise runs and comparisons of load generators. */
export function isOfServers({ kind }: Pick<IndexEntry, "kind">): boolean {
  return kind === "run" || kind === "preset";
}

/** Returns whether a run is a smoke run, such as `--quick`: every result has a single round. */
export function isSmokeRun(results: readonly { readonly rounds: number }[]): boolean {
  return results.every(({ rounds }) => rounds < 2);
}

/**
 * Returns the index entry of a run.
 *
 * @param file name of its report
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

/** Returns only the median and its confidence interval. */
function ranged(estimate: MedianWithInterval | null): MedianWithInterval | null {
  return estimate && { median: estimate.median, confidenceInterval: estimate.confidenceInterval };
}
