/** Measures tails and peak memory: the servers run at the same time, and get the same load in turns. */
import { isLateAt } from "../analysis/derive_open_loop_results.ts";
import {
  type CostAbsence,
  type CostGroup,
  type CostKey,
  type CostRecord,
  costsOf,
  type TailCost,
  TAILS,
} from "../model/costs.ts";
import { messageOf } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import type { OpenRecord } from "../model/raw.ts";
import type { Reason } from "../model/reason.ts";
import type { Scenario } from "../model/scenario.ts";
import { hideUrls } from "../model/text.ts";
import { observationsFor } from "../stats/confidence_interval.ts";
import { merge } from "../stats/histogram.ts";
import { lowerMedian, sum, typical } from "../stats/median.ts";
import { forgetPeaks, peakBytes, proportionalBytes } from "../target/usage.ts";
import { known } from "./measure_idle.ts";
import type { RunContext } from "./run_context.ts";
import { explained } from "./servers.ts";
import { type Loaded, openRate, prepareLoad, takeTurn, TURN_S, warmUp } from "./turns.ts";

/** Minimum and maximum number of turns of each server in a round. Slow servers need more. */
const [FEWEST_TURNS, MOST_TURNS] = [4, 20];
/** Requests that are planned for each one that a percentile needs, because arrivals are random. */
const MARGIN = 1.2;
/**
 * Maximum lateness of the load generator, as a share of a percentile. A generator that is late delays both
 * sides alike, which makes a change look smaller, so more is allowed than for the response time itself.
 */
const LATE_SHARE = 0.25;
/** Minimum share of the rounds that must count. A smaller share may consist of the good rounds only. */
const LEAST_SHARE = 0.5;

type Groups = readonly CostGroup[];

/** Measures the groups that need a load in one round at each scenario, or records why it cannot. */
export async function measureLoaded(
  context: RunContext,
  variants: readonly Variant[],
  keys: readonly CostKey[],
  round: number,
): Promise<void> {
  const { experiment: { scenarios }, signal, testbed } = context;
  for (const scenario of scenarios) {
    const own = openGroups(context, keys, scenario);
    if (own.length === 0) continue;
    try {
      await measureAt(context, scenario, variants, own, round);
    } catch (error) {
      signal.throwIfAborted();
      await testbed.assertSound();
      const reason = { kind: "message", text: hideUrls(messageOf(error)) } as const;
      for (const group of own) lack(context, { group, scenario: scenario.id, reason });
    }
  }
}

/** Records the absence of costs that too few of the rounds so far have. */
export function endLoaded(context: RunContext, keys: readonly CostKey[]): void {
  for (const scenario of context.experiment.scenarios) {
    for (const group of openGroups(context, keys, scenario)) {
      const { variants, ...counts } = roundsWith(context, group, scenario.id);
      if (counts.rounds >= LEAST_SHARE * counts.of) continue;
      const [only, ...others] = variants;
      const variant = others.length === 0 ? only ?? null : null;
      const reason = { kind: "few-rounds", ...counts } as const;
      lack(context, { group, variant, scenario: scenario.id, reason });
    }
  }
}

/** Counts the rounds with a group's costs of all variants, and names variants that lack them in others. */
function roundsWith(
  { recorder, variants }: RunContext,
  group: CostGroup,
  scenario: string,
): Omit<Extract<Reason, { kind: "few-rounds" }>, "kind"> & { readonly variants: string[] } {
  const [cost] = costsOf([group]);
  const records = recorder.costs.filter((one) => one.scenario === scenario && one.cost === cost);
  const failed = recorder.costAbsences.filter((one) =>
    one.scenario === scenario && one.group === group
  );
  const late = records.filter(({ isLate }) => isLate);
  const all = [...new Set([...records, ...failed].map(({ round }) => round))];
  const hasCost = (variant: string, round: number | null): boolean =>
    records.some((one) => one.variant === variant && one.round === round && !one.isLate);
  return {
    rounds: all.filter((round) => variants.every(({ id }) => hasCost(id, round))).length,
    of: all.length,
    late: new Set(late.map(({ round }) => round)).size,
    variants: variants.map(({ id }) => id).filter((id) =>
      !all.every((round) => hasCost(id, round))
    ),
  };
}

/** Returns the groups of a scenario that are not missing. */
function openGroups({ recorder }: RunContext, keys: readonly CostKey[], { id }: Scenario): Groups {
  return keys.filter((key) => key.scenario === id && !recorder.lacks(key)).map(({ group }) =>
    group
  );
}

function lack(
  { recorder }: RunContext,
  absence: Pick<CostAbsence, "group" | "scenario" | "reason"> & Partial<CostAbsence>,
): void {
  recorder.add("costAbsences", { variant: null, round: null, ...absence });
}

async function measureAt(
  context: RunContext,
  scenario: Scenario,
  variants: readonly Variant[],
  groups: Groups,
  round: number,
): Promise<void> {
  const { recorder, experiment: { design } } = context;
  const earlier = recorder.costs.find((one) => one.scenario === scenario.id && one.perS !== null);
  const perS = earlier?.perS ?? await openRate(context, scenario, variants);
  const own = groups.filter((group) => {
    const reason = whyNoTail(group, perS);
    if (reason !== null) lack(context, { group, scenario: scenario.id, reason });
    return reason === null;
  });
  if (own.length === 0) return;
  await using running = new AsyncDisposableStack();
  const all = await prepareLoad(context, scenario, variants, running);
  const memory = new Map(all.map((one) => [one, own.includes("peak") ? new Memory(one) : null]));
  // A sleeping processor delays responses, and the delay varies
  using _awake = context.pool.keepAwake();
  for (const one of all) await warmUp(context, one, scenario, perS);
  for (let turn = 0; turn < turnsFor(own, perS); turn++) {
    const open = {
      perS,
      arrivals: "poisson",
      seed: design.seed + MOST_TURNS * round + turn,
    } as const;
    for (const one of turn % 2 === 0 ? all : all.toReversed()) {
      await takeTurn(context, one, open);
      await explained(one, () => Promise.resolve(memory.get(one)?.read()));
    }
  }
  for (const one of all) {
    const key = { variant: one.variant.id, scenario: scenario.id, round };
    const { problem } = one;
    if (problem !== null) {
      const reason = { kind: "message", text: problem } as const;
      for (const group of own) lack(context, { ...key, group, reason });
      continue;
    }
    const costs = [...memory.get(one)?.costs() ?? [], ...tailsOf(one, own)];
    for (const cost of costs) recorder.add("costs", { ...key, perS, ...cost });
  }
}

type Measured = Pick<CostRecord, "cost" | "value" | "isLate">;

/** The memory of a loaded server and its descendants. */
class Memory {
  readonly #pid: number;
  /** The PSS after each turn. */
  readonly #pss: number[] = [];

  constructor({ started: { pid } }: Loaded) {
    this.#pid = known(pid);
    forgetPeaks(this.#pid);
  }

  /** Reads the PSS. That stops the server for a moment, so no load may run. */
  read(): void {
    this.#pss.push(known(proportionalBytes(this.#pid)));
  }

  costs(): Measured[] {
    const grown = (this.#pss.at(-1) ?? 0) - (this.#pss[0] ?? 0);
    return [
      { cost: "peakRssBytes", value: known(peakBytes(this.#pid)), isLate: false },
      { cost: "peakPssBytes", value: Math.max(...this.#pss), isLate: false },
      { cost: "grownBytes", value: Math.max(0, grown), isLate: false },
    ];
  }
}

const tailCosts = Object.keys(TAILS) as readonly TailCost[];

/**
 * Returns the percentiles of a server: lower medians over the parts of its load. A stall of the machine in
 * two of four parts changes their median, but not the lower one.
 */
function tailsOf({ turns }: Loaded, groups: Groups): Measured[] {
  return tailCosts.filter((cost) => costsOf(groups).includes(cost)).flatMap((cost): Measured[] => {
    const { name, share } = TAILS[cost];
    const parts = partsOf(turns, observationsFor(share));
    const typicalOf = (part: "responseTime" | "lateness"): number | null =>
      typical(parts, (own) => merge(own.map((turn) => turn[part]))?.[name] ?? null, lowerMedian);
    const [value, lateUs] = [typicalOf("responseTime"), typicalOf("lateness")];
    return value === null || lateUs === null
      ? []
      : [{ cost, value, isLate: isLateAt(lateUs, value, LATE_SHARE) }];
  });
}

/** Divides turns into parts of consecutive ones, each with enough requests for a percentile. */
function partsOf(turns: readonly OpenRecord[], needed: number): OpenRecord[][] {
  const parts: OpenRecord[][] = [];
  let open: OpenRecord[] = [];
  for (const turn of turns) {
    open.push(turn);
    if (sum(open.map(({ offered }) => offered)) < needed) continue;
    parts.push(open);
    open = [];
  }
  // The last turns are too few for a part
  parts.at(-1)?.push(...open);
  return parts;
}

/** Returns the requests that a group needs in a round, by its percentile; 0 without one. */
function neededBy(group: CostGroup): number {
  const [cost] = tailCosts.filter((one) => costsOf([group]).includes(one));
  return cost === undefined ? 0 : MARGIN * observationsFor(TAILS[cost].share);
}

/** Returns why a rate is too low for a percentile; null if it is not. */
function whyNoTail(group: CostGroup, perS: number): Reason | null {
  const requests = Math.floor(MOST_TURNS * TURN_S * perS);
  const needed = Math.ceil(neededBy(group));
  return requests >= needed ? null : { kind: "few-requests", requests, needed };
}

function turnsFor(groups: Groups, perS: number): number {
  const needed = Math.max(...groups.map(neededBy));
  return Math.max(FEWEST_TURNS, Math.ceil(needed / (TURN_S * perS)));
}
