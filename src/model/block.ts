/**
 * Raw measurements of slices. A block uses one process of each variant. The blocks of a round share these
 * processes, which start after the round's windows. In a run of only one server, that server keeps the
 * process of its windows. All processes run at the same time. The load switches from one process to the next
 * after ten milliseconds or more. Each of these short periods is a slice.
 */
import { HIGHEST_ROUND } from "./limits.ts";
import * as s from "./schema.ts";
import { Usage, Warmup } from "./raw.ts";
import { workload } from "./experiment.ts";

const VariantSlices = s.object(
  "VariantSlices",
  "Raw: one variant in the slices of a block. Lists have one entry for each pass, in order.",
  {
    variant: [s.text, "Id of the variant."],
    responses: [s.list(s.count), "Responses of any status to the requests sent in the slice."],
    busyUs: [
      s.list(s.amount),
      "Total microseconds that these requests were pending. Connections times responses divided by this is the rate.",
    ],
    p50Us: [
      s.list(s.amount),
      "Median service time of these requests in microseconds; 0 without a response.",
    ],
    cpuUs: [
      s.nullable(s.list(s.amount)),
      "CPU time of the server's processes during its slice, in microseconds; null if unknown.",
    ],
    totalCpuUs: [
      s.nullable(s.amount),
      "CPU time of the server's processes from the first slice of any variant to the last, in microseconds. It includes the time between its own slices. Null if unknown.",
    ],
    statuses: [s.record(s.count), "Responses of all slices by status code."],
    transportErrors: [
      s.count,
      "Requests that failed without a response, and connections that the server closed.",
    ],
    timeouts: [s.count, "Requests that timed out."],
    checkedBodies: [s.count, "Responses with a checked body."],
    wrongResponses: [s.count, "Wrong responses among these."],
    wrongResponse: [
      s.nullable(s.text),
      "The start of the first wrong response; null if there was none.",
    ],
    error: [s.nullable(s.text), "Error of the first failed request; null if none failed."],
  },
);
export interface VariantSlices extends s.Static<typeof VariantSlices> {}

const Slices = s.object("Slices", "Raw: the slices of all variants of a block.", {
  order: [
    s.list(s.list(s.count)),
    "For each pass, the indexes of the variants in the order of their slices.",
  ],
  durationS: [s.amount, "Time from the first slice to the last, in seconds."],
  isAwake: [s.flag, "Whether idle processors were kept from sleeping."],
  warmup: [s.nullable(Warmup), "The warm-up slices; null if not recorded."],
  usage: [
    s.nullable(Usage),
    "CPU time from the start of the warm-up to the last slice. `server` is all variants together; `generator` is the driver and the threads that keep processors awake. Null if unknown.",
  ],
  variants: [s.list(VariantSlices), "The loaded variants; `order` contains their indexes."],
});
export interface Slices extends s.Static<typeof Slices> {}

const Block = s.object("Block", "Slices of one scenario to measure in a round.", {
  purpose: [
    s.oneOf("measure", "confirm"),
    "`confirm`: whether a regression is found again. Such a block counts for nothing else.",
  ],
  round: [s.upTo(HIGHEST_ROUND, s.ordinal), "Round of the block, from 1."],
  ...workload,
  variants: [s.list(s.text), "Ids of the variants, including the reference."],
  timeoutS: [s.positive, "Timeout of a response, in seconds."],
  warmupS: [s.amount, "Minimum warm-up of each variant, in seconds of slices."],
  mostWarmupS: [
    s.amount,
    "Maximum warm-up in seconds. It continues while a variant still becomes faster.",
  ],
  durationS: [s.positive, "Measured slices of each variant, in seconds."],
});
export interface Block extends s.Static<typeof Block> {}

const VariantFailure = s.object("VariantFailure", "Why a variant has no slices.", {
  variant: [s.text, "Id of the variant."],
  kind: [
    s.oneOf("start", "verification", "slices"),
    "The failed step: starting the server, the verification before the load, or the load.",
  ],
  message: [s.text, "The error message."],
});
export interface VariantFailure extends s.Static<typeof VariantFailure> {}

export const BlockResult = s.object("BlockResult", "Raw: one block and its failures.", {
  block: [Block, "The planned block."],
  startedAt: [s.instant, "Start time, ISO 8601 in UTC."],
  slices: [s.nullable(Slices), "The measured slices; null if there are none."],
  failures: [s.list(VariantFailure), "Variants without slices, each with the reason."],
});
export interface BlockResult extends s.Static<typeof BlockResult> {}
