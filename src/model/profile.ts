/** CPU profiles of servers on V8: V8's samples, and their summary in a report. */
import type { Profiler } from "node:inspector";
import { workload } from "./experiment.ts";
import { Reason } from "./reason.ts";
import * as s from "./schema.ts";

/** Origins of code. */
const KINDS = ["own", "package", "runtime", "native"] as const;

/** Raw: V8's samples of one thread, as in a `.cpuprofile` file. Times are in microseconds. */
// https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile
export type CpuProfile = Profiler.Profile;
/** A function as one caller, the parent node, called it. Lines and columns start at 0; -1 is none. */
export type CpuProfileNode = Profiler.ProfileNode;

export class Frame extends s.object("Derived: a function as one caller called it.", {
  depth: s.count.is("Number of functions between it and the root."),
  name: s.text.is("Its name; empty if it has none."),
  place: s.text.orNull("Its module and line; null if it is not JavaScript."),
  kind: s.oneOf(...KINDS).is(
    "Origin of the code: `own` for the server's files, `package`, `runtime` for modules of Deno or Node.js, `native` for code that is not JavaScript, such as the garbage collector.",
  ),
  self: s.count.is("Samples in which it ran itself."),
  total: s.count.is("Samples in which it or one of its callees ran."),
}) {}

export class FoldedStacks
  extends s.object("Derived: the samples of a profile, merged by equal calls.", {
    durationS: s.positive.is("Duration of sampling, in seconds."),
    samples: s.ordinal.is("Samples of all threads."),
    inCalls: s.count.is(
      "Samples in a called JavaScript function or in the garbage collector. In the other samples V8 was idle: the thread waited, or the runtime or the kernel worked.",
    ),
    frames: s.list(Frame).is(
      "The functions, each before its callees. Functions with too few samples to draw are left out.",
    ),
  }) {}

export class Profile extends s.object(
  "CPU profile of a server under a separate load, which contributes no other figure.",
  {
    variant: s.text.is("Id of the variant."),
    ...workload,
    threads: s.count.is("Number of sampled threads."),
    foldedStacks: FoldedStacks.orNull("The samples; null without any."),
    busiestThread: s.number.orNull(
      "Raw: share of time that the server's busiest thread ran, 0 to 1; null if unknown.",
    ),
    responses: s.count.is("Raw: responses during the profile. Sampling slows the server down."),
    files: s.list(s.text).is("Files with V8's profiles next to the report, one for each thread."),
    reason: Reason.orNull("Reason for a missing profile; null with a profile."),
  },
) {}

class SelfSamples extends s.object("Raw: the samples in which one function ran itself.", {
  name: s.text.is("Its name; empty for all functions without a name in its file."),
  place: s.text.orNull("Its module and line; null if it is not JavaScript."),
  kind: s.oneOf(...KINDS).is("Origin of the code, as in a profile."),
  samples: s.ordinal.is("Number of samples."),
}) {}

export class SelfTimes extends s.object(
  "Raw: a short profile of a fresh process, as samples by function.",
  {
    variant: s.text.is("Id of the variant."),
    ...workload,
    round: s.ordinal.is("Its round, from 1."),
    cpuUs: s.positive.orNull("CPU time per response, in microseconds; null if unknown."),
    sampledUs: s.positive.orNull(
      "Sampled time per response, in microseconds, without waits for a processor. Null without responses.",
    ),
    samples: s.count.is("Samples of all threads, also those outside of JavaScript."),
    functions: s.list(SelfSamples).is("Its functions with samples."),
    reason: Reason.orNull("Reason for a missing profile; null with a profile."),
  },
) {}

export class FunctionChange extends s.object("Derived: how the time of one function changed.", {
  name: s.text.is("Its name in head, or in base if head does not call it."),
  was: s.text.orNull("Its name in base, if it was renamed; null otherwise."),
  place: s.text.orNull("Its module and line; null if it is not JavaScript."),
  kind: s.oneOf(...KINDS, "outside").is(
    "Origin of its code. `outside` is all CPU time outside of JavaScript, as one entry.",
  ),
  baseUs: s.amount.is("Time per response in base, mean over the rounds."),
  headUs: s.amount.is("Time per response in head, mean over the rounds."),
  low: s.number.is("Lower end of the change's interval, in microseconds."),
  high: s.number.is("Upper end; the interval is at a level of 95 % for all functions together."),
  isProven: s.flag.is(
    "Whether its interval excludes 0, and it changed beyond the floor. If it is not JavaScript, it also changed in the same direction in every round.",
  ),
}) {}

export class FunctionChanges
  extends s.object("Derived: the functions that changed at one workload.", {
    ...workload,
    reason: Reason.orNull("Reason for missing profiles; null with profiles."),
    compared: s.count.is("Number of compared functions."),
    changes: s.list(FunctionChange).is("Functions by the size of their change, the largest first."),
  }) {}
