/** Test data: blocks and windows of servers that differ by given figures. */
import { absent } from "../load/probe.ts";
import type { Block, BlockResult, VariantFailure, VariantSlices } from "../model/block.ts";
import type { TrialResult } from "../model/raw.ts";

/** Figures of a variant in every slice of a block. */
export interface VariantFigures {
  /** CPU time per response in microseconds; null if unknown. */
  readonly cpuUs?: number | null;
  /** Latency of a response in microseconds. */
  readonly latencyUs?: number;
  /** Other differences. */
  readonly change?: Partial<VariantSlices>;
}

const PASSES = 4;
const RESPONSES = 100;

/** Makes a block of the scenario `text` with ten connections. */
export function blockOf(
  round: number,
  shown: Readonly<Record<string, VariantFigures>>,
  change: Partial<Block> & { readonly failures?: readonly VariantFailure[] } = {},
): BlockResult {
  const { failures = [], ...rest } = change;
  const variants = Object.keys(shown);
  const block: Block = {
    purpose: "measure",
    round,
    scenario: "text",
    variants,
    connections: 10,
    perS: null,
    timeoutS: 10,
    warmupS: 0.5,
    mostWarmupS: 5.5,
    earlyS: {},
    durationS: 1.5,
    ...rest,
  };
  const order = Array.from({ length: PASSES }, () => variants.map((_variant, i) => i));
  const slices = Object.entries(shown).map(([variant, one]) => variantOf(variant, one));
  return {
    block,
    startedAt: "2026-01-01T00:00:00.000Z",
    slices: slices.length === 0
      ? null
      : { order, durationS: 3, isAwake: true, warmup: null, usage: null, variants: slices },
    failures,
  };
}

function variantOf(
  variant: string,
  { cpuUs = 10, latencyUs = 100, change = {} }: VariantFigures,
): VariantSlices {
  const each = (value: number): number[] => Array.from({ length: PASSES }, () => value);
  return {
    variant,
    responses: each(RESPONSES),
    busyUs: each(RESPONSES * latencyUs),
    p50Us: each(latencyUs),
    cpuUs: cpuUs === null ? null : each(RESPONSES * cpuUs),
    roundTripNs: null,
    totalCpuUs: cpuUs === null ? null : PASSES * RESPONSES * cpuUs,
    statuses: { "200": PASSES * RESPONSES },
    transportErrors: 0,
    timeouts: 0,
    checkedBodies: PASSES * RESPONSES,
    wrongResponses: 0,
    wrongResponse: null,
    error: null,
    ...change,
  };
}

/** Returns these blocks with one distance of the processors: the time of a round trip in nanoseconds. */
export function blocksWith(roundTripNs: number, blocks: readonly BlockResult[]): BlockResult[] {
  return blocks.map((block) => ({
    ...block,
    slices: block.slices && {
      ...block.slices,
      variants: block.slices.variants.map((own) => ({
        ...own,
        roundTripNs: own.responses.map(() => roundTripNs),
      })),
    },
  }));
}

/** Makes a window of a server with a given rate and CPU time per response. */
export function windowOf(
  variant: string,
  round: number,
  perS: number,
  cpuUs: number | null = 10,
  purpose = "measure",
): TrialResult {
  const server = cpuUs === null ? null : { userUs: cpuUs * perS, systemUs: 0 };
  return {
    trial: { variant, scenario: "text", round, purpose, load: { connections: 10, open: null } },
    window: {
      measurement: { durationS: 1, statuses: { "200": perS }, slicesPerS: [], warmup: null },
      usage: { durationS: 1, server },
      probe: absent({ kind: "no-rehearsal" }),
    },
  } as unknown as TrialResult;
}
