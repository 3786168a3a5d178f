/** Finds changes over a series of runs, and makes their index. */
import type { ResultKey } from "../model/derived.ts";
import type { MedianWithInterval } from "../model/estimate.ts";
import type { AnyReport, DistributedReport, IndexedResult, IndexEntry } from "../model/report.ts";
import { changePoints } from "../stats/change_points.ts";
import { median } from "../stats/median.ts";
import { byResult, isSameResult, keyOf } from "./keys.ts";

/** One result over a series of runs. */
export interface ResultHistory extends ResultKey {
  /** The result in each run, in order; null if a run does not have it. */
  readonly results: readonly (IndexedResult | null)[];
  readonly changes: readonly ChangePoint[];
  /** Number of runs in which the search for changes could use the result. */
  readonly searched: number;
}

/** A change of relative CPU, lasting or temporary, between the runs with two indices. */
interface ChangePoint {
  readonly before: number;
  readonly after: number;
  /** Median relative CPU after the change divided by the median before it. 1.1 is 10 % more. */
  readonly ratio: number;
}

/**
 * Returns every result over the runs, of which the oldest comes first, with its changes of relative CPU:
 * that depends much less on the day and the machine than other figures do. Uses only runs that have
 * several rounds and the same reference as the newest run.
 */
export function historiesOf(entries: readonly IndexEntry[]): ResultHistory[] {
  const reference = entries.findLast((entry) => entry.reference !== null)?.reference;
  return byResult(entries.flatMap(({ results }) => results), keyOf).map(([first]) => {
    const key = keyOf(first);
    const results = entries.map((entry) =>
      entry.results.find((one) => isSameResult(one, key)) ?? null
    );
    const known = results.flatMap((result, place) =>
      result?.relativeCpu && result.rounds > 1 && entries[place]?.reference === reference
        ? [{ place, log: Math.log(result.relativeCpu.median) }]
        : []
    );
    const logs = known.map(({ log }) => log);
    const starts = changePoints(logs);
    const changes = starts.map((start, i): ChangePoint => {
      const was = median(logs.slice(starts[i - 1] ?? 0, start));
      const is = median(logs.slice(start, starts[i + 1]));
      const [before = 0, after = 0] = [start - 1, start].map((at) => known[at]?.place);
      return { before, after, ratio: Math.exp(is - was) };
    });
    return { ...key, results, changes, searched: known.length };
  });
}

/** Returns whether a run compares servers, unlike noise runs and comparisons of load generators. */
export function isOfServers({ kind }: Pick<IndexEntry, "kind">): boolean {
  return kind === "run" || kind === "preset";
}

/** Returns whether a run is a smoke run, such as with `--quick`: no result has more than one round. */
export function isSmokeRun(results: readonly { readonly rounds: number }[]): boolean {
  return results.every(({ rounds }) => rounds < 2);
}

/** Returns the entry of a run, by the name of its report's file, for the index of `results/`. */
export function entryOf(file: string, report: AnyReport): IndexEntry {
  const { kind, createdAt, complete, versions } = report;
  if (kind === "distributed") {
    const unknown = { commit: null, tls: null, machine: null, reference: null, hasCosts: false };
    return { file, createdAt, kind, complete, ...unknown, results: mergedResults(report) };
  }
  const { commit, host, experiment: { kind: ofRun, reference, load } } = report;
  return {
    file,
    createdAt,
    commit,
    kind: ofRun,
    complete,
    tls: load.tls,
    machine: `${host.cores} x ${host.cpuModel}`,
    reference: reference && `${reference.label}, Deno ${versions.deno}`,
    hasCosts: report.costs.length > 0,
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

function ranged(estimate: MedianWithInterval | null): MedianWithInterval | null {
  return estimate && { median: estimate.median, confidenceInterval: estimate.confidenceInterval };
}
