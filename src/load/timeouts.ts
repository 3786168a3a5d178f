/** Time limits for load generators. */
export interface Timeouts {
  /**
   * Shortest warm-up of a process that has just started, in seconds: its JIT compiler needs that long.
   */
  readonly freshWarmupS: number;
  /** Seconds after which a generator counts as hung; null: the limit follows from its load. */
  readonly limitS: number | null;
}

/** The time limits of every run outside tests. */
export const TIMEOUTS: Timeouts = { freshWarmupS: 2.5, limitS: null };

/**
 * Returns {@linkcode TIMEOUTS}, or the shorter limits that a test has set by environment variables
 * (docs/testing.md).
 */
export function timeouts(
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
): Timeouts {
  const [freshWarmupS, limitS] = [
    env("STAMPEDE_TEST_FRESH_WARMUP_S"),
    env("STAMPEDE_TEST_LIMIT_S"),
  ];
  return {
    freshWarmupS: freshWarmupS ? Number(freshWarmupS) : TIMEOUTS.freshWarmupS,
    limitS: limitS ? Number(limitS) : TIMEOUTS.limitS,
  };
}

/**
 * Surplus bytes: bytes that a server sends without a request. A load generator would count them as the
 * response to its next request. Each connection is therefore checked after its load.
 */

/**
 * Longest wait for pending responses before the check, in ms. A connection that is still waiting then
 * has no surplus bytes, because they would have completed its response.
 */
export const DRAIN_MS = 250;
/** How long an idle connection is watched, in ms: surplus bytes follow a response immediately. */
export const WATCH_MS = 20;
/** Text that the report shows in place of a wrong response if surplus bytes arrived. */
export const SURPLUS = "bytes after a response that belong to no request";
