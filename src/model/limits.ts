/** The most that may be asked for, by an option or in a file. */

/** Connections of a load. */
export const MOST_CONNECTIONS = 10_000;
/** Rounds of a run, and runs of a preset's table. */
export const MOST_ROUNDS = 100;
/** Highest round number in a report. A run has several phases of up to MOST_ROUNDS rounds. */
export const HIGHEST_ROUND = 10_000;
/** Seconds that a window lasts. */
export const LONGEST_WINDOW_S = 600;
/** Seconds of load before it. */
export const LONGEST_WARMUP_S = 60;
/** Seconds that anything else may take: a response, a start. */
export const LONGEST_WAIT_S = 600;
/** Requests that a load ends with. */
export const MOST_REQUESTS = 1_000_000_000;
/** Requests a second of an open loop. */
export const LEAST_RATE = 0.1;
export const MOST_RATE = 200_000;
