/** How long load generators are given. */
export interface Patience {
  /** A process that has just started warms up at least so long: its own JIT compiler needs that. */
  readonly freshWarmupS: number;
  /** When a window is overdue and the generator counts as hung; null: as its load says. */
  readonly limitS: number | null;
}

/** What every run has. */
export const PATIENCE: Patience = { freshWarmupS: 2.5, limitS: null };

/** {@linkcode PATIENCE}, unless this process was started by a test that has less (docs/testing.md). */
export function patience(
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
): Patience {
  const [freshWarmupS, limitS] = [
    env("STAMPEDE_TEST_FRESH_WARMUP_S"),
    env("STAMPEDE_TEST_LIMIT_S"),
  ];
  return {
    freshWarmupS: freshWarmupS ? Number(freshWarmupS) : PATIENCE.freshWarmupS,
    limitS: limitS ? Number(limitS) : PATIENCE.limitS,
  };
}
