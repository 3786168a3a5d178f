/** Makes texts about CPU profiles. */
import { isSameResult } from "../analysis/keys.ts";
import { type HotFunction, hotFunctions, inCallsOf, usPerResponse } from "../analysis/profiles.ts";
import type { ResultKey } from "../model/derived.ts";
import type { Profile } from "../model/profile.ts";
import type { Report } from "../model/report.ts";
import { count, share } from "../model/text.ts";
import { distinct, microseconds, nonEmpty, roughly } from "./format.ts";
import { describeReason, withReason } from "./reasons.ts";

/** Maximum number of functions that a text names. */
const HOTTEST = 5;

/** Returns a line with the profiles' files; empty without profiles. */
export function profilePlaces({ profiles }: Report): string[] {
  const [first, ...others] = profiles.flatMap(({ files }) => files);
  if (first === undefined) return [];
  return others.length === 0
    ? [`The profile is next to it, for DevTools: ${first}`]
    : [`${1 + others.length} profiles are next to it, for DevTools, such as ${first}`];
}

/** Returns a warning for each server without a profile, with the reason. */
export function profileWarnings({ profiles }: Report): string[] {
  return distinct(profiles.flatMap(({ variant, scenario, reason }) => {
    if (reason === null) return [];
    const at = reason.kind === "message" ? ` at ${scenario}` : "";
    return [`No profile of ${variant}${at}: ${describeReason(reason)}.`];
  }));
}

/** Summarises a profile: `JavaScript and its calls took 4.2 % of 3 s under load`. */
export function whereTime(profile: Profile): string {
  const shares = inCallsOf(profile);
  if (shares === null || profile.foldedStacks === null) return "";
  const { ofTime, ofRunning } = shares;
  const us = usPerResponse(profile, profile.foldedStacks.inCalls);
  const lengthS = roughly(profile.foldedStacks.durationS);
  return nonEmpty(
    `JavaScript and its calls took ${share(ofTime)} of ${lengthS} s under load`,
    us !== null && `${microseconds(us)} per response`,
    ofRunning !== null &&
      `about ${
        share(ofRunning)
      } of the thread's CPU time; the runtime and the kernel took the rest`,
  ).join(", ");
}

/** Returns the name of a function with its place: `handler server/router.ts:11`. */
export function functionName({ name, place }: Pick<HotFunction, "name" | "place">): string {
  const called = name === "" ? "(anonymous)" : name;
  return place === null ? called : `${called} ${place}`;
}

/** Returns the profile of a result in a few lines; empty without a profile. */
export function profileLines({ profiles }: Report, key: ResultKey): string[] {
  const profile = profiles.find((one) => isSameResult(one, key));
  if (profile === undefined) return [];
  const { foldedStacks, reason, threads, files } = profile;
  if (foldedStacks === null) return [withReason("none", reason && describeReason(reason))];
  return [
    whereTime(profile),
    ...hotFunctions(profile).slice(0, HOTTEST).map((one) =>
      `${share(one.self / foldedStacks.inCalls)} of that in ${functionName(one)}`
    ),
    `${count(foldedStacks.samples, "sample")} of ${count(threads, "thread")}: ${files.join(", ")}`,
  ];
}
