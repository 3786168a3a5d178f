import type { Frame, Profile } from "../model/profile.ts";

/** A function with the samples of all its callers. */
export interface HotFunction extends Pick<Frame, "name" | "place" | "kind" | "self"> {
  /** Number of samples in which the function or one of its callees ran. A recursive call counts once. */
  readonly total: number;
}

/**
 * Returns the functions of a profile in the order of the samples in which they ran themselves, the most
 * first. It contains only functions that the flame graph shows.
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

/** Shares of time that were spent in JavaScript calls, 0 to 1. */
export interface InCalls {
  /** Share of the duration of sampling that was spent in calls. */
  readonly ofTime: number;
  /**
   * Share of the thread's CPU time. Null if several threads were sampled or CPU time is unknown. Also null if
   * calls took longer than the CPU time, because calls may wait.
   */
  readonly ofRunning: number | null;
}

/**
 * Returns the share of time that JavaScript calls took, which the flame graph shows; null without a profile.
 */
export function inCallsOf({ foldedStacks, threads, busiestThread }: Profile): InCalls | null {
  if (foldedStacks === null) return null;
  const ofTime = foldedStacks.inCalls / foldedStacks.samples;
  const isKnown = threads === 1 && busiestThread !== null && busiestThread > ofTime;
  return { ofTime, ofRunning: isKnown ? ofTime / busiestThread : null };
}

/**
 * Returns the time per response that a number of samples represents, in microseconds; null without responses.
 */
export function usPerResponse(
  { foldedStacks, threads, responses }: Profile,
  samples: number,
): number | null {
  if (foldedStacks === null || responses === 0) return null;
  return 1e6 * foldedStacks.durationS * threads * samples / foldedStacks.samples / responses;
}
