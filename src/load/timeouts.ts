/** How long load generators are given. */
export interface Timeouts {
  /** A process that has just started warms up at least so long: its own JIT compiler needs that. */
  readonly freshWarmupS: number;
  /** When a window is overdue and the generator counts as hung; null: as its load says. */
  readonly limitS: number | null;
}

/** What every run has. */
export const TIMEOUTS: Timeouts = { freshWarmupS: 2.5, limitS: null };

/** {@linkcode TIMEOUTS}, unless this process was started by a test that has less (docs/testing.md). */
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
