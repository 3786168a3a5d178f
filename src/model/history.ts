/** The index of `results/`: what is remembered of each run. */
import type { Kind } from "./experiment.ts";
import type { Commit } from "./report.ts";

/** One run. */
export interface IndexEntry {
  /** Its file's name in that folder. */
  readonly file: string;
  readonly createdAt: string;
  readonly commit: Commit | null;
  readonly kind: Kind;
  readonly complete: boolean;
  readonly cells: readonly IndexedCell[];
}

/** What is remembered of a cell. */
export interface IndexedCell {
  readonly arm: string;
  readonly scenario: string;
  readonly connections: number;
  readonly requestsPerS: number | null;
  readonly isLowerBound: boolean;
  /** Whether another load generator drove it than usual. */
  readonly isTakenOver: boolean;
  /** Half the interval of the rate, as a share of it; null where there is none. */
  readonly rateHalfWidth: number | null;
  /** What an answer costs in those of the reference; null where that was not measured. */
  readonly cost: number | null;
  /** Half its interval, as a share of it; null where there is none. */
  readonly costHalfWidth: number | null;
  readonly rounds: number;
}
