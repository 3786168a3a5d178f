/** Largest values in options and files; lengths of time in seconds. */
export const MOST = {
  connections: 10_000,
  /** Of a run; also runs of a preset's table. */
  rounds: 100,
  /** Number of a round in a report. A run has several phases, each with up to `rounds` rounds. */
  roundNumber: 10_000,
  windowS: 600,
  warmupS: 60,
  /** Other waits: for a response, or for the start of a server. */
  waitS: 600,
} as const;
