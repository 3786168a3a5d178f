/**
 * Raw measurements of slices. After the windows, all variants of a block start again. A single server keeps
 * the process of its windows.
 */
import { MOST } from "./limits.ts";
import * as s from "./schema.ts";
import { Usage, Warmup } from "./raw.ts";
import { workload } from "./experiment.ts";

/** Id of the reference as a variant. */
export const REFERENCE = "reference";
/**
 * Minimum ratio of the round trip between distant processors to that between near ones. Medians of blocks were
 * 88 to 145 ns if near, and 353 to 647 ns if distant.
 */
export const DISTANT = 2;

export class VariantSlices extends s.object(
  "Raw: one variant in the slices of a block. Lists have one entry for each pass, in order.",
  {
    variant: s.text.is("Id of the variant."),
    responses: s.list(s.count).is("Responses of any status to the requests sent in the slice."),
    busyUs: s.list(s.amount).is(
      "Total microseconds in which connections waited for these responses. Connections times responses divided by this is the rate.",
    ),
    p50Us: s.list(s.amount).is(
      "Median service time of these requests in microseconds; 0 without a response.",
    ),
    cpuUs: s.list(s.amount).orNull(
      "CPU time of the server's processes during its slice, in microseconds; null if unknown.",
    ),
    roundTripNs: s.list(s.nullable(s.amount)).orNull(
      "Round trip of a cache line between the load generator's processor and the server's before each slice, in nanoseconds; null if one of them was busy. Null as a whole if unknown.",
    ),
    totalCpuUs: s.amount.orNull(
      "CPU time of the server's processes from the first slice of any variant to the last, in microseconds. It includes the time between its own slices. Null if unknown.",
    ),
    statuses: s.record(s.count).is("Responses of all slices by status code."),
    transportErrors: s.count.is(
      "Requests that failed without a response, and connections that the server closed.",
    ),
    timeouts: s.count.is("Requests that timed out."),
    checkedBodies: s.count.is("Responses with a checked body."),
    wrongResponses: s.count.is("Wrong responses among these."),
    wrongResponse: s.text.orNull("The start of the first wrong response; null if there was none."),
    error: s.text.orNull("Error of the first failed request; null if none failed."),
  },
) {}

export class Slices extends s.object("Raw: the slices of all variants of a block.", {
  order: s.list(s.list(s.count)).is(
    "For each pass, the indexes of the variants in the order of their slices.",
  ),
  durationS: s.amount.is("Time from the first slice to the last, in seconds."),
  isAwake: s.flag.is("Whether idle processors were kept from sleeping."),
  warmup: Warmup.orNull(
    "The warm-up slices: the time of the variant that climbed longest, without `earlyS`, and the requests of all. Null if not recorded.",
  ),
  usage: Usage.orNull(
    "CPU time from before the warm-up to the last slice. `server` is all variants together; `generator` is the driver and the threads that keep processors awake. Null if unknown.",
  ),
  variants: s.list(VariantSlices).is("The loaded variants; `order` contains their indexes."),
}) {}

export class Block extends s.object("Slices of one scenario to measure in a round.", {
  purpose: s.oneOf("measure", "confirm").is(
    "`confirm`: whether a regression is found again. Such a block counts for nothing else.",
  ),
  round: s.upTo(MOST.roundNumber, s.ordinal).is("Round of the block, from 1."),
  ...workload,
  variants: s.list(s.text).is("Ids of the variants, including the reference."),
  timeoutS: s.positive.is("Timeout of a response, in seconds."),
  warmupS: s.amount.is("Minimum warm-up of each variant, in seconds of slices."),
  mostWarmupS: s.amount.is(
    "Maximum warm-up in seconds. It continues while a variant still becomes faster.",
  ),
  earlyS: s.record(s.amount).is(
    "Seconds of slices of each variant that warms up before the others, by its id; for example on a JVM.",
  ),
  durationS: s.positive.is("Measured slices of each variant, in seconds."),
}) {}

export class VariantFailure extends s.object("Why a variant has no slices.", {
  variant: s.text.is("Id of the variant."),
  kind: s.oneOf("start", "verification", "slices").is(
    "The failed step: starting the server, the verification before the load, or the load.",
  ),
  message: s.text.is("The error message."),
}) {}

export class BlockResult extends s.object("Raw: one block and its failures.", {
  block: Block.is("The planned block."),
  startedAt: s.instant.is("Start time, ISO 8601 in UTC."),
  slices: Slices.orNull("The measured slices; null if there are none."),
  failures: s.list(VariantFailure).is("Variants without slices, each with the reason."),
}) {}
