/** The index of `results/`: what is remembered of each run. */
import type { ResultKey } from "./derived.ts";
import type { MedianWithInterval } from "./estimate.ts";
import type { Alpn } from "./tls.ts";
import type { ExperimentKind } from "./experiment.ts";
import type { Commit } from "./report.ts";

/** One run. */
export interface IndexEntry {
  /** Its file's name in that folder. */
  readonly file: string;
  readonly createdAt: string;
  readonly commit: Commit | null;
  readonly kind: ExperimentKind;
  readonly complete: boolean;
  /** Whether the run is still going; its figures are not final. */
  readonly isUnderWay?: boolean;
  /** Protocol over TLS, HTTP/1.1 or HTTP/2; null: no TLS. */
  readonly tls: Alpn | null;
  /** Its processors: `4 x AMD EPYC 7763`. */
  readonly machine: string;
  /** The reference server, with the version of its runtime; null where nothing was measured beside it. */
  readonly reference: string | null;
  readonly results: readonly IndexedResult[];
}

/** What is remembered of a result. */
export interface IndexedResult extends ResultKey {
  readonly requestsPerS: MedianWithInterval | null;
  readonly isLowerBound: boolean;
  /** Whether another load generator drove it than usual. */
  readonly isTakenOver: boolean;
  /** Microseconds of the server's CPU time for a response. */
  readonly serverCpuUs: MedianWithInterval | null;
  /** What a response costs in those of the reference; null where that was not measured. */
  readonly relativeCpu: MedianWithInterval | null;
  readonly rounds: number;
}
