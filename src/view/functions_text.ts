/** Puts the functions that changed into words. */
import type { Changes } from "../model/derived.ts";
import type { FunctionChange, FunctionChanges } from "../model/profile.ts";
import { fixed } from "../model/text.ts";
import { functionName } from "./explain.ts";
import { describeReason } from "./reasons.ts";

/** Number of functions that are named for each scenario: the first ones explain most of a change. */
const NAMED = 3;

/** Returns the functions that changed at each profiled scenario, one a line. */
export function functionsLines({ functions }: Pick<Changes, "functions">): string[] {
  return functions.flatMap((one) => {
    const { scenario, reason, compared } = one;
    if (reason !== null) return [`${scenario} was not profiled: ${describeReason(reason)}.`];
    const proven = provenOf(one);
    if (proven.length === 0) {
      return [`No function is proven to have changed at ${scenario}, of ${compared}.`];
    }
    const lines = proven.map(describeFunction);
    return [`Functions that changed at ${scenario}, CPU time per request:`, ...lines];
  });
}

/** Returns the functions that are proven to have changed, the largest change first; at most three. */
export function provenOf({ changes }: FunctionChanges): readonly FunctionChange[] {
  return changes.filter(({ isProven }) => isProven).slice(0, NAMED);
}

/** Describes a change: `+1.25 µs (+0.71 to +1.80): wait, routes/plain.ts:12`. */
export function describeFunction(change: FunctionChange): string {
  const { was, baseUs, headUs, low, high } = change;
  const [size, from, to] = [headUs - baseUs, low, high].map((us) => signed(us));
  const renamed = was === null ? "" : `, before: ${was}`;
  return `${size} µs (${from} to ${to}): ${functionName(change)}${renamed}`;
}

/** Returns a difference with its sign: `+1.25`. */
export function signed(us: number): string {
  return `${us < 0 ? "−" : "+"}${fixed(Math.abs(us), 2)}`;
}
