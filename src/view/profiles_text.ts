/** The words about where servers spend their time. */
import { isSameResult } from "../analysis/result_key.ts";
import {
  type HotFunction,
  hotFunctions,
  inCallsOf,
  usPerResponse,
} from "../analysis/hot_functions.ts";
import type { ResultKey } from "../model/derived.ts";
import type { Profile } from "../model/profile.ts";
import type { Report } from "../model/report.ts";
import { count, microseconds, roughly, share } from "./format.ts";
import { describeReason, withReason } from "./reasons.ts";

/** How many functions stand in text. */
const HOTTEST = 5;

/** Where the profiles are; nothing without any. */
export function profilePlaces({ profiles }: Report): string[] {
  const files = profiles.flatMap(({ files }) => files);
  const [first = ""] = files;
  if (files.length === 0) return [];
  return [
    files.length === 1
      ? `The profile is beside it, for DevTools: ${first}`
      : `${files.length} profiles are beside it, for DevTools, such as ${first}`,
  ];
}

/** Which servers have no profile, and why. */
export function profileWarnings({ profiles }: Report): string[] {
  const missing = profiles.flatMap(({ variant, scenario, reason }) => {
    if (reason === null) return [];
    const at = reason.kind === "message" ? ` at ${scenario}` : "";
    return [`${withReason(`No profile of ${variant}${at}`, describeReason(reason))}.`];
  });
  return [...new Set(missing)];
}

/** What a profile says first: `JavaScript, and what it called, had 4.2 % of 3 s`. */
export function whereTime(profile: Profile): string {
  const shares = inCallsOf(profile);
  if (shares === null || profile.foldedStacks === null) return "";
  const { ofTime, ofRunning } = shares;
  const us = usPerResponse(profile, profile.foldedStacks.inCalls);
  return [
    `JavaScript, and what it called, had ${share(ofTime)} of ${
      roughly(profile.foldedStacks.durationS)
    } s under load`,
    ...(us === null ? [] : [`${microseconds(us)} of each response`]),
    ...(ofRunning === null ? [] : [
      `about ${
        share(ofRunning)
      } of the time that its thread ran: the rest is the runtime's and the kernel's`,
    ]),
  ].join(", ");
}

/** A function as people know it: `handler server/router.ts:11`. */
export function functionName({ name, place }: Pick<HotFunction, "name" | "place">): string {
  const called = name === "" ? "(anonymous)" : name;
  return place === null ? called : `${called} ${place}`;
}

/** Where a server spends its time at a scenario, in a few lines. */
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
