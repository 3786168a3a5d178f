/** The index of `results/`: a summary of each run. */
import type { ResultKey } from "./comparison.ts";
import type { MedianWithInterval } from "./estimate.ts";
import type { Alpn } from "./tls.ts";
import type { ExperimentKind } from "./experiment.ts";
import type { Commit, DistributedReport } from "./report.ts";

/** Summary of one run. */
export interface IndexEntry {
  /** Name of the run's report in `results/`. */
  readonly file: string;
  readonly createdAt: string;
  readonly commit: Commit | null;
  readonly kind: ExperimentKind | DistributedReport["kind"];
  readonly complete: boolean;
  /** Whether the run still measures, so that its figures are not final. */
  readonly isUnderWay?: boolean;
  /** Protocol over TLS, HTTP/1.1 or HTTP/2; null without TLS. */
  readonly tls: Alpn | null;
  /** Number and model of the processors: `4 x AMD EPYC 7763`; null for merged runners. */
  readonly machine: string | null;
  /** Label of the reference server and version of Deno; null without a reference server. */
  readonly reference: string | null;
  readonly results: readonly IndexedResult[];
}

/** Summary of one result of a run. */
export interface IndexedResult extends ResultKey {
  readonly requestsPerS: MedianWithInterval | null;
  readonly isLowerBound: boolean;
  /** Whether another load generator replaced the usual one, which would have been the bottleneck. */
  readonly isTakenOver: boolean;
  /** CPU time of the server per response, in microseconds. */
  readonly serverCpuUs: MedianWithInterval | null;
  /** CPU time per response relative to the reference; null if it was not measured. */
  readonly relativeCpu: MedianWithInterval | null;
  readonly rounds: number;
}
