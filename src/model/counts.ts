/** Counts of what a server does for one request, or for one connection. */
import { Reason } from "./reason.ts";
import * as s from "./schema.ts";

/** What is counted, by kind. Only the counts of system calls have names, which Linux gives them. */
const kind = s.oneOf(
  "system-call",
  "context-switch",
  "bytes-sent",
  "segments-received",
  "segments-sent",
  "statement",
  "allocated-bytes",
);
export type CountKind = s.Static<typeof kind>;

const counted = {
  scenario: s.text.is("Id of the scenario."),
  kind: kind.is(
    "Kind of the count. `context-switch` counts the voluntary switches, `allocated-bytes` counts the bytes of V8's heap. The segments are TCP segments with data.",
  ),
  name: s.text.orNull("Name of the system call; null for other kinds."),
  per: s.oneOf("request", "connection").is("The unit that is counted."),
};

export class CountRecord
  extends s.object("Raw: a count of one variant, without any load. Nothing is timed meanwhile.", {
    variant: s.text.is("Id of the variant."),
    ...counted,
    processes: s.list(s.list(s.number)).is(
      "For each fresh process, the count for one request or connection, in each of several segments.",
    ),
  }) {}

export class CountChange extends s.object("Derived: a count that differs between base and head.", {
  ...counted,
  base: s.number.is("Count for base."),
  head: s.number.is("Count for head."),
  isExact: s.flag.is(
    "Whether both are whole numbers that all segments of all processes repeated, except for one segment and a few calls of background threads.",
  ),
}) {}

export class CountAbsence extends s.object("The reason for a missing count.", {
  scenario: s.text.is("Id of the scenario."),
  what: s.text.is("Name of the missing count."),
  reason: Reason.is("The reason."),
}) {}

export class CountChanges extends s.object("Derived: the counts of base and head, compared.", {
  changes: s.list(CountChange).is("The counts that differ, the largest relative changes first."),
  compared: s.count.is("Counts that repeat, so that they could be compared."),
  varying: s.list(s.text).is(
    "Names of the counts that vary without a change. They were not compared.",
  ),
  absences: s.list(CountAbsence).is("The missing counts, with reasons."),
}) {}
