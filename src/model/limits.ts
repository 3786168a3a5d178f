/** Limits of values in options and files. */

/** Maximum number of connections of a load. */
export const MOST_CONNECTIONS = 10_000;
/** Maximum number of rounds in a run. Also the maximum number of runs for a preset's table. */
export const MOST_ROUNDS = 100;
/** Highest round number in a report. A run has several phases, each with up to MOST_ROUNDS rounds. */
export const HIGHEST_ROUND = 10_000;
/** Maximum length of a window, in seconds. */
export const LONGEST_WINDOW_S = 600;
/** Maximum length of a warm-up, in seconds. */
export const LONGEST_WARMUP_S = 60;
/** Maximum length of other waits, in seconds: for a response, or for the start of a server. */
export const LONGEST_WAIT_S = 600;
