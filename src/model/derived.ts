/** What a run found: derived from the raw windows of raw.ts. */

/** A figure over rounds. */
export interface Estimate {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Ends that cover the true median with the given probability; null for too few rounds. */
  readonly interval: Interval | null;
  /** Coefficient of variation: standard deviation over mean; null for one round. */
  readonly cv: number | null;
  /** Median absolute deviation, in the figure's unit. */
  readonly mad: number;
  /** Rounds that lie far from the others; they are flagged, never dropped. */
  readonly outlierRounds: readonly number[];
  /** The relative change that a comparison of two such runs would find with 80 % power. */
  readonly minimumDetectableEffect: number | null;
}

/** Ends that cover what is estimated with the given probability. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly coverage: number;
}

/** What kept a rate from being higher. */
export type Limit = "server" | "database" | "generator" | "wait" | "machine" | "unclear";

/** How busy one program was: medians over the windows of a cell. */
export interface PartEvidence {
  /** Cores that it kept busy, and that it would have, had it never waited for a processor. */
  readonly cores: number;
  readonly wantedCores: number | null;
  /** Share of the time that its busiest thread ran, and that it waited for a processor, 0 to 1. */
  readonly busiestThread: number | null;
  readonly runQueueWait: number | null;
}

/** What a verdict rests on: medians over the windows of a cell; null: not known. */
export interface Evidence {
  readonly server: PartEvidence | null;
  readonly database: PartEvidence | null;
  readonly generator: PartEvidence | null;
  /** Shares of the machine's processor time, and the cores that others used than these three. */
  readonly machine: {
    readonly idle: number;
    readonly steal: number;
    readonly otherCores: number;
  } | null;
  /** Little's law: rate times mean latency over connections. */
  readonly little: number | null;
  /** What the generator reached against canned bytes; null where that was not measured. */
  readonly ceilingPerS: number | null;
  /** Whether that was the generator's own limit; if not, it could have reached more. */
  readonly isCeilingReached: boolean | null;
  /** The least that twice the shards gained in any of the pairs: 0.1 is 10 %; null without a test. */
  readonly scaleGain: number | null;
}

/** What the limit of a cell was, and why. */
export interface Verdict {
  readonly limit: Limit;
  /** Sentences. */
  readonly reasons: readonly string[];
  /** Whether only a scale test could tell, which there has not been. */
  readonly needsScaleTest: boolean;
  readonly evidence: Evidence;
}

/** What the witness saw in all rounds of a cell. */
export interface WitnessSummary {
  readonly answers: number;
  readonly perS: number;
  readonly p50Us: number;
  /** Null for too few answers. */
  readonly p99Us: number | null;
  /** How late its requests were sent, median of the rounds' 99th percentiles. */
  readonly sendLagP99Us: number | null;
  /** The smallest share of wrong answers that it would have met with 95 % probability. */
  readonly detects: number;
}

/** Derived: one server of a run, whether it was measured or not. */
export interface ServerSummary {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly framework: string | null;
  /** The id of the server that it is built on. */
  readonly basedOn: string | null;
  readonly approach: "idiomatic" | "tuned";
  /** Why it is tuned, or what else a reader should know. */
  readonly why: string | null;
  /** Ids of the scenarios that it implements, each with how. */
  readonly scenarios: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Its processes or scheduler threads, which is its league; null: as many as it likes. */
  readonly workers: number | null;
  /** What it lacks on this machine, for which it was not measured; null if nothing. */
  readonly skipped: string | null;
  /** Why it could not be built; null if it could. */
  readonly failure: string | null;
  /** From its spawning to its first right answer, in seconds. */
  readonly startUpS: Estimate | null;
  /** Resident memory after that answer, median over the rounds. */
  readonly idleRssBytes: number | null;
}

/** A load generator of a run. */
export interface GeneratorSummary {
  readonly id: string;
  readonly version: string;
  /** Whether it looks at the bodies of answers while it loads. */
  readonly checksBodies: boolean;
  /** What a reader of its latencies has to know; null if nothing. */
  readonly latencyNote: string | null;
}

/** One server at one scenario under a number of connections. */
export interface CellKey {
  readonly target: string;
  readonly scenario: string;
  readonly connections: number;
}

/** Derived: all rounds of one server at one scenario under a number of connections. */
export interface Cell {
  readonly target: string;
  readonly scenario: string;
  readonly connections: number;
  readonly status: "ok" | "invalid" | "failed";
  /** Why there is no rate, or why rounds are missing; null if nothing is. */
  readonly reason: string | null;
  readonly rounds: number;
  readonly failedRounds: number;
  /** Answers with a 2xx status per second of the window, those of the witness included. */
  readonly requestsPerS: Estimate | null;
  /** Whether the server could do more: the generator or the machine was the limit. */
  readonly isLowerBound: boolean;
  /** One second over the processor time for an answer, where the rate is the generator's. */
  readonly capacityPerCore: number | null;
  /** The server's processor time for each answer; null where it is not known. */
  readonly serverCpuUs: Estimate | null;
  /** Of that, the kernel's share, 0 to 1. */
  readonly systemShare: number | null;
  /** Service time: the median over the rounds of each round's percentile. */
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly witness: WitnessSummary | null;
  /** Why there is no witness; null if there is one. */
  readonly witnessAbsence: string | null;
  /** The server's memory before the load and at most under it, medians over the rounds. */
  readonly idleRssBytes: number | null;
  readonly peakRssBytes: number | null;
  /** Statements that the database executed for each answer; null where nobody counts them. */
  readonly statementsPerAnswer: number | null;
  /** How much faster the second half of a window was than the first, median; null: not known. */
  readonly trend: number | null;
  readonly verdict: Verdict | null;
  /** One more than the servers of its league that are proven better at this; null if it is alone. */
  readonly rank: number | null;
  readonly answers: number;
  readonly checkedBodies: number;
  readonly errors: {
    readonly transport: number;
    /** Null where the generator does not tell. */
    readonly timeout: number | null;
    readonly non2xx: number;
    /** What the witness met of any kind. */
    readonly witness: number;
  };
}

/** Two servers at one scenario under a number of connections, measured in the same rounds. */
export interface Comparison {
  readonly scenario: string;
  readonly connections: number;
  readonly a: string;
  readonly b: string;
  /** What is compared: more is better of `requestsPerS`, less of `serverCpuUs`. */
  readonly metric: "requestsPerS" | "serverCpuUs";
  readonly rounds: number;
  /** a's figure over b's: Hodges-Lehmann estimate of the paired ratios. */
  readonly ratio: number;
  readonly interval: Interval | null;
  readonly pValue: number;
  /** The server that is proven better, by the interval; null if nothing is proven. */
  readonly better: string | null;
}

/** A server against itself at one scenario: a difference that is none. */
export interface Noise {
  readonly target: string;
  readonly scenario: string;
  readonly connections: number;
  readonly requestsPerS: NoiseOf | null;
  readonly serverCpuUs: NoiseOf | null;
}

/** The noise of one figure. */
export interface NoiseOf {
  readonly rounds: number;
  readonly ratio: number;
  readonly interval: Interval | null;
  /** How far the interval reaches from 1: 0.03 is 3 %; null without an interval. */
  readonly floor: number | null;
}

/** Derived: how one server at one task differs between two runs, or two of its versions in one run. */
export interface Change extends CellKey {
  readonly verdict: "faster" | "slower" | "same" | "incomparable";
  /** Why it cannot be compared; null if it can. */
  readonly reason: string | null;
  /** Whether what was fine in base is invalid or failed in head. */
  readonly isBroken: boolean;
  readonly metric: Comparison["metric"];
  /** Medians over the rounds, in the metric's unit. */
  readonly base: number | null;
  readonly head: number | null;
  readonly baseRounds: number;
  readonly headRounds: number;
  /** head's figure over base's. */
  readonly ratio: number | null;
  /** At 95 %, for this change alone. */
  readonly interval: Interval | null;
  /** At a level that makes 95 % for all changes together; null for too few rounds. */
  readonly familyInterval: Interval | null;
  /** Adjusted for the number of comparisons. */
  readonly pValue: number | null;
  /** The smallest relative change that would probably have been found; null: none could have been. */
  readonly detectable: number | null;
  /** Relative changes up to this mean nothing: the machine's noise, and its own change of speed. */
  readonly floor: number;
}
