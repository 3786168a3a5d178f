import type { Frame, Profile } from "../model/profile.ts";

/** A function, combined over all its callers. */
export interface HotFunction extends Pick<Frame, "name" | "place" | "kind" | "self"> {
  /** Samples in which it or one of its callees ran. A recursive call counts once. */
  readonly total: number;
}

/**
 * Returns the functions of a profile by their own samples, the most first. Functions that are too rare to
 * draw are left out.
 */
export function hotFunctions({ foldedStacks }: Profile): HotFunction[] {
  const all = new Map<string, HotFunction>();
  const callers: string[] = [];
  for (const { depth, name, place, kind, self, total } of foldedStacks?.frames ?? []) {
    const key = `${name} ${place}`;
    callers.splice(depth, Infinity, key);
    const isInside = callers.indexOf(key) < depth;
    const before = all.get(key) ?? { name, place, kind, self: 0, total: 0 };
    const more = isInside ? 0 : total;
    all.set(key, { ...before, self: before.self + self, total: before.total + more });
  }
  return [...all.values()].sort((a, b) => b.self - a.self);
}

/** Shares of time in JavaScript calls, 0 to 1. */
export interface InCalls {
  readonly ofTime: number;
  /**
   * Share of the thread's CPU time; null if several threads were sampled, or if CPU time is unknown or
   * smaller than the share. Calls may also wait.
   */
  readonly ofRunning: number | null;
}

/** Returns the share of time that the flame graph covers; null without a profile. */
export function inCallsOf({ foldedStacks, threads, busiestThread }: Profile): InCalls | null {
  if (foldedStacks === null) return null;
  const ofTime = foldedStacks.inCalls / foldedStacks.samples;
  const isKnown = threads === 1 && busiestThread !== null && busiestThread > ofTime;
  return { ofTime, ofRunning: isKnown ? ofTime / busiestThread : null };
}

/** Returns the microseconds per response that a number of samples represents; null without responses. */
export function usPerResponse(
  { foldedStacks, threads, responses }: Profile,
  samples: number,
): number | null {
  if (foldedStacks === null || responses === 0) return null;
  return 1e6 * foldedStacks.durationS * threads * samples / foldedStacks.samples / responses;
}
