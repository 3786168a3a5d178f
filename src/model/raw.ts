/**
 * Raw: what a run measured, as it came. What it was asked is in model.ts, what is derived from this in
 * findings.ts. Units stand in the names. What is unknown is null.
 */
import type { Trial } from "./experiment.ts";

/** Latencies of one window, in microseconds; null is what the load generator does not tell. */
export interface Latency {
  readonly count: number;
  readonly meanUs: number | null;
  readonly minUs: number | null;
  readonly p50Us: number | null;
  readonly p90Us: number | null;
  readonly p99Us: number | null;
  readonly p999Us: number | null;
  readonly maxUs: number | null;
  /** The whole histogram, HdrHistogram V2, compressed, base64. */
  readonly histogram: string | null;
}

/** Raw: what a load generator saw in one window. */
export interface Measurement {
  /** Length of the window by a monotonic clock. */
  readonly durationS: number;
  /** Answers by status code, or by its class, `2xx`, where the generator tells no more. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers from the first request of the warm-up to the end of the load, whatever their status. */
  readonly allAnswers: number;
  readonly transportErrors: number;
  /** Null where the generator does not tell. */
  readonly timeouts: number | null;
  /** Answers whose body was looked at. */
  readonly checkedBodies: number;
  /** Of these, the wrong ones, and one of them. */
  readonly wrongAnswers: number;
  readonly wrongAnswer: string | null;
  /** Received, headers included; null where the generator does not tell. */
  readonly bytes: number | null;
  /** Connections opened while the window was open; null where the generator does not tell. */
  readonly connectionsOpened: number | null;
  /** Answers per second in each quarter of a second, in order; empty where nobody tells. */
  readonly slicesPerS: readonly number[];
  /** Service time: from sending a request to the last byte of its answer. */
  readonly latency: Latency | null;
}

/**
 * Raw: what the witness saw in one window: our own client that sends at fixed times, on a connection
 * of its own, and looks at whole answers.
 */
export interface WitnessRecord {
  readonly intervalMs: number;
  readonly durationS: number;
  /** Requests whose time came while the window was open. */
  readonly due: number;
  /** Answers with a 2xx status, all of them checked whole. */
  readonly answers: number;
  /** Answers from the start of the warm-up on, whatever they were. */
  readonly allAnswers: number;
  readonly wrongAnswers: number;
  readonly wrongAnswer: string | null;
  /** Transport errors and answers without a 2xx status, and the first of them. */
  readonly errors: number;
  readonly error: string | null;
  /**
   * Response time: from the intended sending; a request without an answer counts with its age. Null
   * where answers take too long for the pace: it would be the witness's own queue.
   */
  readonly latency: Latency | null;
  /** How late the witness itself was to see that a request was due, 99th percentile. */
  readonly sendLagP99Us: number | null;
  /** Why there was no witness; null if there was. */
  readonly absence: string | null;
}

/** Raw: what one program, with all its descendants, used during a window. */
export interface ProgramUsage {
  readonly userUs: number;
  readonly systemUs: number;
  /** Share of the window (0 to 1) that its busiest thread ran, and that this thread waited to run. */
  readonly busiestThread: number | null;
  readonly runQueueWait: number | null;
  /** How long all its threads together waited for a processor. */
  readonly waitedUs: number | null;
  /** Resident memory before its load, and at most since then; shared pages count in each process. */
  readonly idleRssBytes: number | null;
  readonly peakRssBytes: number | null;
}

/** Raw: what everybody who took part in a window used; null where it is not known. */
export interface Usage {
  /** Between the two readings. */
  readonly durationS: number;
  readonly server: ProgramUsage | null;
  readonly database: ProgramUsage | null;
  readonly generator: ProgramUsage | null;
  /** Shares of the machine's processor time, 0 to 1. */
  readonly machine: { readonly idle: number; readonly steal: number } | null;
}

/** Raw: what PostgreSQL did during a whole load, its warm-up included, by pg_stat_statements. */
export interface DatabaseWork {
  readonly statements: readonly { readonly query: string; readonly calls: number }[];
}

/** Raw: what the load generator reached against a server that answers canned bytes. */
export interface Ceiling {
  /** Request method, size of the answer, connections and shards, in words. */
  readonly shape: string;
  readonly answerBytes: number;
  readonly answersPerS: number;
  /** Shares of the window that the busiest thread of each ran; null where it is not known. */
  readonly generatorBusiest: number | null;
  readonly nullServerBusiest: number | null;
}

/** Raw: everything that was measured in one window; null where it is not known. */
export interface WindowRecord {
  readonly measurement: Measurement;
  readonly usage: Usage | null;
  readonly witness: WitnessRecord;
  readonly database: DatabaseWork | null;
  readonly ceiling: Ceiling | null;
  /** How long a fixed piece of work took one thread just before, in microseconds. */
  readonly referenceUs: number | null;
}

/** Raw: one start of a server. */
export interface LaunchRecord {
  readonly target: string;
  readonly round: number;
  /** From its spawning to its first right answer; null if that was not right, or nobody saw it. */
  readonly startUpS: number | null;
  /** Resident memory then. */
  readonly idleRssBytes: number | null;
}

/** Why there is no window. */
export interface TrialFailure {
  /** What failed: starting the server, an answer before the load, or the window. */
  readonly kind: "start" | "verification" | "window";
  readonly message: string;
  /** What the load generator printed, if that is what cannot be read. */
  readonly output: string | null;
}

/** Raw: one window, or why there is none. */
export interface TrialResult {
  readonly trial: Trial;
  readonly startedAt: string;
  readonly window: WindowRecord | null;
  readonly failure: TrialFailure | null;
}
