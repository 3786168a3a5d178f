import type { Scenario } from "../src/model/scenario.ts";

/** What most scenarios are: a request after the other, without a database, every body as the first one. */
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

/** What scenarios whose responses come from the database have of their own: their rate takes longer to settle. */
export const OF_DATABASE = { ...USUAL, queries: 1, warmupS: 1.25 } as const satisfies Partial<
  Scenario
>;
