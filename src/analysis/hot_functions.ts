import type { Frame, Profile } from "../model/profile.ts";

/** A function, whoever called it. */
export interface HotFunction extends Pick<Frame, "name" | "place" | "kind" | "self"> {
  /** Samples in which it ran, or something that it had called: once each, however deep it calls itself. */
  readonly total: number;
}

/** The functions of a profile by their own samples, most first; of those that have enough to be drawn. */
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

/** What share of the time was in calls of JavaScript, and of the time that the server's thread ran; 0 to 1. */
export interface InCalls {
  readonly ofTime: number;
  /** Null where several threads were sampled, or what they ran is not known, or less: calls may wait too. */
  readonly ofRunning: number | null;
}

/** How much of the time was spent in what is drawn; null without a profile. */
export function inCallsOf({ foldedStacks, threads, busiestThread }: Profile): InCalls | null {
  if (foldedStacks === null) return null;
  const ofTime = foldedStacks.inCalls / foldedStacks.samples;
  const isKnown = threads === 1 && busiestThread !== null && busiestThread > ofTime;
  return { ofTime, ofRunning: isKnown ? ofTime / busiestThread : null };
}

/** Microseconds of each response that so many samples stand for; null without responses. */
export function usPerResponse(
  { foldedStacks, threads, responses }: Profile,
  samples: number,
): number | null {
  if (foldedStacks === null || responses === 0) return null;
  return 1e6 * foldedStacks.durationS * threads * samples / foldedStacks.samples / responses;
}
