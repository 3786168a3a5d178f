import type { Scenario } from "../src/model/scenario.ts";

/** Defaults of most scenarios: one request at a time, no database, and the same body every time. */
export const USUAL = {
  queries: 0,
  moreQueries: 0,
  writes: 0,
  readsAhead: false,
  protocol: "http",
  pipelined: 1,
  each: null,
  underLoad: "same",
  connections: null,
  warmupS: null,
  cycle: null,
  isDefault: true,
} as const satisfies Partial<Scenario>;

/**
 * Defaults of scenarios that use the database. Their warm-up is longer, because their rate settles
 * later.
 */
export const OF_DATABASE = { ...USUAL, queries: 1, warmupS: 1.25 } as const satisfies Partial<
  Scenario
>;
