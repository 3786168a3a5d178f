/**
 * Raw: what slices measured. A block is one fresh process of each variant, all of them alive at once; the
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
import { workload } from "./workload.ts";

export const VariantSlices = object(
  "VariantSlices",
  "Raw: one variant in the slices of a block. Lists have an entry for each pass, in order.",
  {
    variant: [text, "Its id."],
    responses: [
      list(count),
      "Responses of any status to the requests that were sent in the slice.",
    ],
    busyUs: [
      list(amount),
      "Microseconds that these requests were under way, added up: connections times responses over this is the rate.",
    ],
    p50Us: [list(amount), "Their median service time in microseconds; 0 without a response."],
    cpuUs: [
      nullable(list(amount)),
      "CPU time of the server's processes around its slice; null where it is not known.",
    ],
    totalCpuUs: [
      nullable(amount),
      "Their CPU time from the first slice of any variant to the last, also between its own slices; null where it is not known.",
    ],
    statuses: [record(count), "Responses of all slices by status code."],
    transportErrors: [
      count,
      "Requests that failed without a response, and connections that the server closed.",
    ],
    timeouts: [count, "Requests without a response in time."],
    checkedBodies: [count, "Answers whose body was looked at."],
    wrongResponses: [count, "Of these, the wrong ones."],
    wrongResponse: [
      nullable(text),
      "The start of the first wrong response; null if there was none.",
    ],
    error: [nullable(text), "What the first request said that failed; null if none did."],
  },
);
export interface VariantSlices extends Static<typeof VariantSlices> {}

export const Slices = object("Slices", "Raw: the slices of all variants of a block.", {
  order: [
    list(list(count)),
    "Each pass: the places of the variants, in the order in which they were loaded.",
  ],
  durationS: [amount, "From the first slice to the last, in seconds."],
  isAwake: [flag, "Whether processors that had nothing to do were kept from falling asleep."],
  warmup: [nullable(Warmup), "The slices before those that count; null: not recorded."],
  usage: [
    nullable(Usage),
    "CPU time from the start of the warm-up to the last slice: `server` is all variants together, `generator` the driver with what keeps processors awake; null where it is not known.",
  ],
  variants: [
    list(VariantSlices),
    "Each variant that was loaded; their places are what `order` names.",
  ],
});
export interface Slices extends Static<typeof Slices> {}

export const Block = object("Block", "Slices of one scenario, to be measured in a round.", {
  purpose: [
    oneOf("measure", "confirm"),
    "`confirm`: whether a change for the worse is found again; it counts for nothing else.",
  ],
  round: [upTo(HIGHEST_ROUND, ordinal), "The round that it belongs to, from 1."],
  ...workload,
  variants: [list(text), "Ids of the variants, with that of the reference."],
  timeoutS: [positive, "How long one response may take."],
  warmupS: [amount, "Slices of each variant that do not count, in seconds, at least."],
  mostWarmupS: [
    amount,
    "The same at most: they go on this long while a variant still becomes faster.",
  ],
  durationS: [positive, "Slices of each variant that count, in seconds."],
});
export interface Block extends Static<typeof Block> {}

export const VariantFailure = object("VariantFailure", "Why a variant has no slices.", {
  variant: [text, "Id of the variant."],
  kind: [
    oneOf("start", "verification", "slices"),
    "What failed: starting the server, a response before the load, or the load.",
  ],
  message: [text, "What went wrong."],
});
export interface VariantFailure extends Static<typeof VariantFailure> {}

export const BlockResult = object("BlockResult", "Raw: one block, and what is missing of it.", {
  block: [Block, "What was to be measured."],
  startedAt: [instant, "When it started, ISO 8601 in UTC."],
  slices: [nullable(Slices), "What was measured; null if nothing was."],
  failures: [list(VariantFailure), "Variants that have no slices, each with the reason."],
});
export interface BlockResult extends Static<typeof BlockResult> {}
