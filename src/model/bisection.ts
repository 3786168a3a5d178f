/** The file in which `stampede bisect` keeps its measurements, to continue after an interruption. */
import { Change } from "./derived.ts";
import * as s from "./schema.ts";

/** Format of the file. Another format is not read. */
export const BISECTION_FORMAT = 1;

export class Look extends s.object("One measurement of a candidate against good.", {
  candidate: s.text.is("Id of the candidate: its commit."),
  slowdowns: s.list(s.positive).is(
    "Cost of a response relative to good in each round: 1.05 is 5 % slower. Empty if it could not be measured.",
  ),
  why: s.text.orNull("Reason for a missing measurement; null otherwise."),
  report: s.text.orNull("Path of the report; null without one."),
}) {}

export class BisectionFile extends s.object("The measurements of an unfinished bisection.", {
  format: s.literal(BISECTION_FORMAT).is("Format of the file."),
  followed: Change.is("The change from good to bad that is followed."),
  report: s.text.orNull("Path of the report of good against bad."),
  looks: s.list(Look).is("Measurements of candidates, in order."),
}) {}
