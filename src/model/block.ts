/**
 * Raw: what slices measured. A block is one fresh process of each arm, all of them alive at once; the
 * load goes from one to the next every few milliseconds, in slices.
 */
import { HIGHEST_ROUND } from "./limits.ts";
import {
  amount,
  count,
  flag,
  instant,
  list,
  nullable,
  object,
  oneOf,
  ordinal,
  positive,
  record,
  type Static,
  text,
  upTo,
} from "./schema.ts";
import { Usage, Warmup } from "./raw.ts";
import { task } from "./task.ts";

export const ArmSlices = object(
  "ArmSlices",
  "Raw: one arm in the slices of a block. Lists have an entry for each pass, in order.",
  {
    arm: [text, "Its id."],
    answers: [list(count), "Answers of any status to the requests that were sent in the slice."],
    busyUs: [
      list(amount),
      "Microseconds that these requests were under way, added up: connections times answers over this is the rate.",
    ],
    p50Us: [list(amount), "Their median service time in microseconds; 0 without an answer."],
    cpuUs: [
      nullable(list(amount)),
      "Processor time of the server's processes around its slice; null where it is not known.",
    ],
    totalCpuUs: [
      nullable(amount),
      "Their processor time from the first slice of any arm to the last, also between its own slices; null where it is not known.",
    ],
    statuses: [record(count), "Answers of all slices by status code."],
    transportErrors: [
      count,
      "Requests that failed without an answer, and connections that the server closed.",
    ],
    timeouts: [count, "Requests without an answer in time."],
    checkedBodies: [count, "Answers whose body was looked at."],
    wrongAnswers: [count, "Of these, the wrong ones."],
    wrongAnswer: [nullable(text), "The start of the first wrong answer; null if there was none."],
    error: [nullable(text), "What the first request said that failed; null if none did."],
  },
);
export interface ArmSlices extends Static<typeof ArmSlices> {}

export const Slices = object("Slices", "Raw: the slices of all arms of a block.", {
  order: [
    list(list(count)),
    "Each pass: the places of the arms, in the order in which they were loaded.",
  ],
  durationS: [amount, "From the first slice to the last, in seconds."],
  isAwake: [flag, "Whether processors that had nothing to do were kept from falling asleep."],
  warmup: [nullable(Warmup), "The slices before those that count; null: not recorded."],
  usage: [
    nullable(Usage),
    "CPU time from the start of the warm-up to the last slice: `server` is all arms together, `generator` the driver with what keeps processors awake; null where it is not known.",
  ],
  arms: [list(ArmSlices), "Each arm that was loaded; their places are what `order` names."],
});
export interface Slices extends Static<typeof Slices> {}

export const Block = object("Block", "Slices of one scenario, to be measured in a round.", {
  purpose: [
    oneOf("measure", "confirm"),
    "`confirm`: whether a change for the worse is found again; it counts for nothing else.",
  ],
  round: [upTo(HIGHEST_ROUND, ordinal), "The round that it belongs to, from 1."],
  ...task,
  arms: [list(text), "Ids of the arms, with that of the reference."],
  timeoutS: [positive, "How long one answer may take."],
  warmupS: [amount, "Slices of each arm that do not count, in seconds, at least."],
  mostWarmupS: [
    amount,
    "The same at most: they go on this long while an arm still becomes faster.",
  ],
  durationS: [positive, "Slices of each arm that count, in seconds."],
});
export interface Block extends Static<typeof Block> {}

export const ArmFailure = object("ArmFailure", "Why an arm has no slices.", {
  arm: [text, "Id of the arm."],
  kind: [
    oneOf("start", "verification", "slices"),
    "What failed: starting the server, an answer before the load, or the load.",
  ],
  message: [text, "What went wrong."],
});
export interface ArmFailure extends Static<typeof ArmFailure> {}

export const BlockResult = object("BlockResult", "Raw: one block, and what is missing of it.", {
  block: [Block, "What was to be measured."],
  startedAt: [instant, "When it started, ISO 8601 in UTC."],
  slices: [nullable(Slices), "What was measured; null if nothing was."],
  failures: [list(ArmFailure), "Arms that have no slices, each with the reason."],
});
export interface BlockResult extends Static<typeof BlockResult> {}
