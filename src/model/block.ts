/**
 * Raw measurements of slices. A block uses one process of each variant. The blocks of a round share these
 * processes, which start after the round's windows. In a run of only one server, that server keeps the
 * process of its windows. All processes run at the same time. The load switches from one process to the next
 * after ten milliseconds or more. Each of these short periods is a slice.
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
} from "./json_schema.ts";
import { Usage, Warmup } from "./raw.ts";
import { workload } from "./workload.ts";

export const VariantSlices = object(
  "VariantSlices",
  "Raw: one variant in the slices of a block. Lists have one entry for each pass, in order.",
  {
    variant: [text, "Id of the variant."],
    responses: [
      list(count),
      "Responses of any status to the requests sent in the slice.",
    ],
    busyUs: [
      list(amount),
      "Total microseconds that these requests were pending. Connections times responses divided by this is the rate.",
    ],
    p50Us: [
      list(amount),
      "Median service time of these requests in microseconds; 0 without a response.",
    ],
    cpuUs: [
      nullable(list(amount)),
      "CPU time of the server's processes during its slice, in microseconds; null if unknown.",
    ],
    totalCpuUs: [
      nullable(amount),
      "CPU time of the server's processes from the first slice of any variant to the last, in microseconds. It includes the time between its own slices. Null if unknown.",
    ],
    statuses: [record(count), "Responses of all slices by status code."],
    transportErrors: [
      count,
      "Requests that failed without a response, and connections that the server closed.",
    ],
    timeouts: [count, "Requests that timed out."],
    checkedBodies: [count, "Responses with a checked body."],
    wrongResponses: [count, "Wrong responses among these."],
    wrongResponse: [
      nullable(text),
      "The start of the first wrong response; null if there was none.",
    ],
    error: [nullable(text), "Error of the first failed request; null if none failed."],
  },
);
export interface VariantSlices extends Static<typeof VariantSlices> {}

export const Slices = object("Slices", "Raw: the slices of all variants of a block.", {
  order: [
    list(list(count)),
    "For each pass, the indexes of the variants in the order of their slices.",
  ],
  durationS: [amount, "Time from the first slice to the last, in seconds."],
  isAwake: [flag, "Whether idle processors were kept from sleeping."],
  warmup: [nullable(Warmup), "The warm-up slices; null if not recorded."],
  usage: [
    nullable(Usage),
    "CPU time from the start of the warm-up to the last slice. `server` is all variants together; `generator` is the driver and the threads that keep processors awake. Null if unknown.",
  ],
  variants: [
    list(VariantSlices),
    "The loaded variants; `order` contains their indexes.",
  ],
});
export interface Slices extends Static<typeof Slices> {}

export const Block = object("Block", "Slices of one scenario to measure in a round.", {
  purpose: [
    oneOf("measure", "confirm"),
    "`confirm`: whether a regression is found again. Such a block counts for nothing else.",
  ],
  round: [upTo(HIGHEST_ROUND, ordinal), "Round of the block, from 1."],
  ...workload,
  variants: [list(text), "Ids of the variants, including the reference."],
  timeoutS: [positive, "Timeout of a response, in seconds."],
  warmupS: [amount, "Minimum warm-up of each variant, in seconds of slices."],
  mostWarmupS: [
    amount,
    "Maximum warm-up in seconds. It continues while a variant still becomes faster.",
  ],
  durationS: [positive, "Measured slices of each variant, in seconds."],
});
export interface Block extends Static<typeof Block> {}

export const VariantFailure = object("VariantFailure", "Why a variant has no slices.", {
  variant: [text, "Id of the variant."],
  kind: [
    oneOf("start", "verification", "slices"),
    "The failed step: starting the server, the verification before the load, or the load.",
  ],
  message: [text, "The error message."],
});
export interface VariantFailure extends Static<typeof VariantFailure> {}

export const BlockResult = object("BlockResult", "Raw: one block and its failures.", {
  block: [Block, "The planned block."],
  startedAt: [instant, "Start time, ISO 8601 in UTC."],
  slices: [nullable(Slices), "The measured slices; null if there are none."],
  failures: [list(VariantFailure), "Variants without slices, each with the reason."],
});
export interface BlockResult extends Static<typeof BlockResult> {}
