import type { MedianWithInterval } from "../model/estimate.ts";
import type { IndexedResult, IndexEntry } from "../model/history.ts";
import type { AnyReport, DistributedReport } from "../model/report.ts";
import { keyOf } from "./result_key.ts";

/**
 * Returns whether a run compares servers. Noise runs and comparisons of load generators, for example, do not.
 */
export function isOfServers({ kind }: Pick<IndexEntry, "kind">): boolean {
  return kind === "run" || kind === "preset";
}

/** Returns whether a run is a smoke run, such as with `--quick`: no result has more than one round. */
export function isSmokeRun(results: readonly { readonly rounds: number }[]): boolean {
  return results.every(({ rounds }) => rounds < 2);
}

/**
 * Returns the entry of a run for the index of `results/`.
 *
 * @param file name of its report
 */
export function entryOf(file: string, report: AnyReport): IndexEntry {
  const { kind, createdAt, complete, versions } = report;
  if (kind === "distributed") {
    const unknown = { commit: null, tls: null, machine: null, reference: null };
    return { file, createdAt, kind, complete, ...unknown, results: mergedResults(report) };
  }
  const { commit, host, experiment: { reference } } = report;
  return {
    file,
    createdAt,
    commit,
    kind: report.experiment.kind,
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

function mergedResults({ server, users, scenarios }: DistributedReport): IndexedResult[] {
  return scenarios.map(({ scenario, perS, goodputPerS }) => ({
    variant: server,
    scenario,
    connections: users,
    perS,
    requestsPerS: { median: goodputPerS, confidenceInterval: null },
    isLowerBound: false,
    isTakenOver: false,
    serverCpuUs: null,
    relativeCpu: null,
    rounds: 1,
  }));
}

/** Returns an estimate without its other properties: only the median and its confidence interval. */
function ranged(estimate: MedianWithInterval | null): MedianWithInterval | null {
  return estimate && { median: estimate.median, confidenceInterval: estimate.confidenceInterval };
}
