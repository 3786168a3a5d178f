/** Where servers on V8 spend their time: what V8 samples, and what a report keeps of it. */
import { resultKey } from "./comparison.ts";
import { Reason } from "./reason.ts";
import {
  count,
  list,
  nullable,
  number,
  object,
  oneOf,
  ordinal,
  positive,
  type Static,
  text,
} from "./schema.ts";

/**
 * Raw: what V8 sampled of one thread, which is what a file with the ending `.cpuprofile` holds.
 * https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile
 */
export interface CpuProfile {
  readonly nodes: readonly CpuProfileNode[];
  /** Microseconds of a clock of its own. */
  readonly startTime: number;
  readonly endTime: number;
  /** Ids of nodes, one for each sample: the function that ran. */
  readonly samples?: readonly number[];
}

/** A function, called by the one whose child it is. Lines and columns are from 0; -1: none. */
export interface CpuProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

export const Frame = object("Frame", "Derived: a function, as one caller called it.", {
  depth: [count, "How many functions are between it and the first one."],
  name: [text, "Its name; empty if it has none."],
  place: [nullable(text), "Its module and line; null if it is not of JavaScript."],
  kind: [
    oneOf("own", "package", "runtime", "native"),
    "Whose it is: of the server's own files, of a package, of Deno's or Node.js's own modules, or what is not JavaScript, such as the garbage collector.",
  ],
  self: [count, "Samples in which it ran itself."],
  total: [count, "Samples in which it ran, or something that it had called."],
});
export interface Frame extends Static<typeof Frame> {}

export const FoldedStacks = object(
  "FoldedStacks",
  "Derived: the samples of a profile, those with the same calls together.",
  {
    durationS: [positive, "How long was sampled."],
    samples: [ordinal, "Samples of all threads."],
    inCalls: [
      count,
      "Of these, those in a function that JavaScript had been called for, or in the garbage collector. In the others V8 had nothing to do: the thread waited, or the runtime and the kernel worked.",
    ],
    frames: [
      list(Frame),
      "Each before what it called; functions with too few samples to be drawn are left out.",
    ],
  },
);
export interface FoldedStacks extends Static<typeof FoldedStacks> {}

export const Profile = object(
  "Profile",
  "Where a server spent its time under a load of its own, which no figure of the report comes from.",
  {
    ...resultKey,
    threads: [count, "Threads that were sampled."],
    foldedStacks: [nullable(FoldedStacks), "What was sampled; null: nothing."],
    busiestThread: [
      nullable(number),
      "Raw: share of the time that the server's busiest thread ran, 0 to 1; null: not known.",
    ],
    responses: [count, "Raw: responses meanwhile, of a server that sampling slows down."],
    files: [list(text), "What V8 said, beside the report, one file for each thread."],
    reason: [nullable(Reason), "Why there is no profile; null if there is."],
  },
);
export interface Profile extends Static<typeof Profile> {}
