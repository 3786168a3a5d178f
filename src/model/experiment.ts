/** What is asked of a run. Units stand in the names; null is what is not known. */

/** How hard a server is driven during one window. */
export interface Load {
  readonly connections: number;
  /** Processes that the load generator uses, which share the connections. */
  readonly shards: number;
  readonly warmupS: number;
  /** Length of the window, or with `answers` about that. */
  readonly durationS: number;
  /** The window ends with this many answers, whole cycles of the scenario; null: by time alone. */
  readonly answers: number | null;
  /** How long one answer may take. */
  readonly timeoutS: number;
}

/** One window to be measured, with its place in the run. */
export interface Trial {
  readonly index: number;
  /** `scale`: only to see what more shards do to the rate; it counts for nothing else. */
  readonly purpose: "measure" | "scale";
  readonly round: number;
  readonly target: string;
  readonly scenario: string;
  readonly generator: string;
  readonly load: Load;
}
