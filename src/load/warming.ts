/** The end of warm-ups: when the rate has stopped climbing, or after the longest time. */
import type { Warmup } from "../model/raw.ts";
import { isClimbing, type Sample } from "../stats/plateau.ts";

/**
 * Minimum number of requests before a level rate counts as a plateau. V8 and the JVM compile a function
 * only after many calls. Servers on Node.js reached 90 % of their rate after 3,000 to 20,000 requests;
 * once, Koa's rate was low and level until 2,050 (docs/evidence/2026-11-27-many-servers.md). V8 optimised
 * them again at 5,100 to 5,500, for up to five times the CPU time (docs/evidence/2026-11-28-passes.md).
 */
const LEAST_REQUESTS = 7500;
/** After this many times its configured length, a warm-up may end with fewer requests. */
const MOST_WARMUP_FACTOR = 2;

/** Returns whether a warm-up can be judged. `leastS` is its configured length. */
export function isLongEnough({ seconds, requests }: Sample, leastS: number): boolean {
  return requests >= LEAST_REQUESTS || seconds >= MOST_WARMUP_FACTOR * leastS;
}

/** Returns whether a warm-up of at least `leastS` and at most `mostS` seconds may end now. */
export function mayEnd(samples: readonly Sample[], leastS: number, mostS: number): boolean {
  const last = samples.at(-1) ?? { seconds: 0, requests: 0 };
  if (last.seconds < leastS) return false;
  return last.seconds >= mostS || isLongEnough(last, leastS) && !isClimbing(samples);
}

/** Returns the record of a warm-up; `isSteady` is null if its length was fixed. */
export function warmupRecord({ seconds, requests }: Sample, isSteady: boolean | null): Warmup {
  return { tookS: Math.round(1000 * seconds) / 1000, requests, isSteady };
}
