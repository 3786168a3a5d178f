/** Puts the compared counts of two variants into words. */
import type { Changes } from "../model/derived.ts";
import type { CountAbsence, CountChange, CountChanges, CountKind } from "../model/counts.ts";
import { nonEmpty } from "../model/text.ts";
import { distinct } from "./format.ts";
import { describeReason } from "./reasons.ts";

const KINDS: Readonly<Record<Exclude<CountKind, "system-call">, string>> = {
  "context-switch": "context switches",
  "bytes-sent": "bytes sent",
  "segments-received": "TCP segments received",
  "segments-sent": "TCP segments sent",
  statement: "database statements",
  "allocated-bytes": "bytes allocated",
};

/** Maximum number of counts that a sentence lists: the others are in the report. */
const MOST = 12;

/** Returns the counts that differ, one a line, and what was not counted. Empty if nothing was counted. */
export function countsLines({ counts }: Pick<Changes, "counts">): string[] {
  if (counts === null) return [];
  const { changes, varying, absences } = counts;
  const rest = changes.length - MOST;
  return nonEmpty(
    countsVerdict(counts),
    ...changes.slice(0, MOST).map((change) => `${change.scenario}: ${describeCount(change)}`),
    rest > 0 && `… and ${rest} more, in the report`,
    varying.length > 0 &&
      `Counts that vary by themselves, and were not compared: ${
        varying.map(nameOfKind).join(", ")
      }.`,
    ...distinct(absences.map(describeAbsence)),
  );
}

/** Returns the result in one sentence. */
export function countsVerdict({ changes, compared }: CountChanges): string {
  if (changes.length > 0) {
    const what = changes.length === 1 ? "One count differs" : `${changes.length} counts differ`;
    const how = changes.every(({ isExact }) => isExact)
      ? "repeated exactly"
      : 'exact unless "about"';
    return `${what} (one connection, one request at a time; ${how}):`;
  }
  return compared === 0 ? "Nothing could be counted." : `No count differs, of ${compared}.`;
}

/** Describes a change: `setsockopt 0 → 1 per connection`, `bytes allocated about 808 → 1,064 per request`. */
export function describeCount({ kind, name, per, base, head, isExact }: CountChange): string {
  const digits = isExact || kind === "allocated-bytes" ? 0 : 1;
  const [from, to] = [base, head].map((value) =>
    value.toLocaleString("en", { maximumFractionDigits: digits })
  );
  const what = kind === "system-call" ? name : KINDS[kind];
  return `${what} ${isExact ? "" : "about "}${from} → ${to} per ${per}`;
}

function nameOfKind(name: string): string {
  return KINDS[name as keyof typeof KINDS] ?? name;
}

function describeAbsence({ what, reason, scenario }: CountAbsence): string {
  const why = describeReason(reason);
  if (what === "Nothing") return `${scenario} was not counted: ${why}.`;
  return `${what} were not counted${what === "System calls" ? "" : ` at ${scenario}`}: ${why}.`;
}
