/**
 * The costs of a server apart from its rate: start-up, memory, CPU time of an idle server, and tails. Each
 * cost is declared once, with its comparison and its row in the table of changes. Less is better for all.
 */
import { MOST } from "./limits.ts";
import { Reason } from "./reason.ts";
import * as s from "./schema.ts";

/** Groups of costs. Those of a group are measured together, and have one threshold. */
export const COST_GROUPS = ["startup", "cold", "memory", "idle", "peak", "p99", "p99.9"] as const;
export type CostGroup = typeof COST_GROUPS[number];
/** Groups that `--measure all` measures. Dropping the page cache slows down other programs. */
export const USUAL_GROUPS: readonly CostGroup[] = COST_GROUPS.filter((group) => group !== "cold");
/** Groups that need a load, so each scenario has its costs. */
export const LOADED_GROUPS: readonly CostGroup[] = ["peak", "p99", "p99.9"];
/** Costs that are percentiles of the response time: each one's share, and its name in a histogram. */
export const TAILS = {
  tail99Us: { share: 0.99, name: "p99Us" },
  tail999Us: { share: 0.999, name: "p999Us" },
} as const;
export type TailCost = keyof typeof TAILS;

/** A group of costs that is measured at a scenario, or without load (null). */
export interface CostKey {
  readonly group: CostGroup;
  readonly scenario: string | null;
}

/** Returns the keys of groups: one for each scenario if the group needs a load. */
export function costKeys(groups: readonly CostGroup[], scenarios: readonly string[]): CostKey[] {
  return groups.flatMap((group) =>
    (LOADED_GROUPS.includes(group) ? scenarios : [null]).map((scenario) => ({ group, scenario }))
  );
}

/** Units of the values by the format of their column; null for numbers without a unit. */
const UNITS = {
  microseconds: "microseconds",
  milliseconds: "microseconds",
  bytes: "bytes",
  mebibytes: "bytes",
  decimal: null,
} as const;

/** The declaration of a cost. */
export interface Cost {
  readonly group: CostGroup;
  readonly heading: string;
  readonly description: string;
  readonly format: keyof typeof UNITS;
  /**
   * The resolution in the cost's unit. Smaller values count as this one, since the ratio of two values
   * near zero means nothing.
   */
  readonly least: number;
  /** Noise floor: the relative difference that two folders with the same code may show in one run. */
  readonly floor: number;
}

/** The costs, in the order of the rows. */
export const COSTS = {
  tail99Us: {
    group: "p99",
    heading: "p99",
    description: "99th percentile of the response time at a tenth of the maximum rate",
    format: "milliseconds",
    least: 50,
    floor: 0.05,
  },
  tail999Us: {
    group: "p99.9",
    heading: "p99.9",
    description: "99.9th percentile of the response time at a tenth of the maximum rate",
    format: "milliseconds",
    least: 50,
    floor: 0.05,
  },
  peakRssBytes: {
    group: "peak",
    heading: "Peak RSS",
    description: "largest resident memory under load: the sum of the peaks of all processes",
    format: "mebibytes",
    least: 4096,
    floor: 0.01,
  },
  peakPssBytes: {
    group: "peak",
    heading: "Peak PSS",
    description:
      "largest memory of the process tree after a turn; processes that share a page share its size",
    format: "mebibytes",
    least: 4096,
    floor: 0.01,
  },
  grownBytes: {
    group: "peak",
    heading: "Growth",
    description: "memory after the last turn minus that after the first one (PSS), at least 0",
    format: "mebibytes",
    // A heap grows in steps of this size
    least: 2 ** 20,
    floor: 0.1,
  },
  idleBytes: {
    group: "memory",
    heading: "Idle memory",
    description: "private memory of the process tree after its first response",
    format: "mebibytes",
    least: 4096,
    floor: 0.005,
  },
  connectionBytes: {
    group: "memory",
    heading: "Memory/connection",
    description: "private memory for one of many idle connections",
    format: "bytes",
    // A page for each of 40 connections
    least: 100,
    floor: 0.01,
  },
  startUpUs: {
    group: "startup",
    heading: "Start-up",
    description: "time from the start of the process to its first right response",
    format: "milliseconds",
    least: 1000,
    floor: 0.005,
  },
  startUpCpuUs: {
    group: "startup",
    heading: "Start-up CPU",
    description: "CPU time of the process tree until its first right response",
    format: "milliseconds",
    least: 1000,
    floor: 0.005,
  },
  coldStartUpUs: {
    group: "cold",
    heading: "Cold start-up",
    description: "start-up with an empty page cache",
    format: "milliseconds",
    least: 1000,
    floor: 0.05,
  },
  idleCpuUs: {
    group: "idle",
    heading: "Idle CPU/s",
    description: "CPU time in a second without a connection",
    format: "microseconds",
    least: 50,
    floor: 0.05,
  },
  idleWakeUps: {
    group: "idle",
    heading: "Idle wake-ups/s",
    description: "wake-ups of the server's threads in a second without a connection",
    format: "decimal",
    least: 1,
    floor: 0.05,
  },
  connectedCpuUs: {
    group: "idle",
    heading: "Connected CPU/s",
    description: "CPU time in a second with 100 idle connections",
    format: "microseconds",
    least: 50,
    floor: 0.05,
  },
  quietCpuUs: {
    group: "idle",
    heading: "CPU/s at 100/s",
    description: "CPU time in a second with 100 requests of the first scenario that it implements",
    format: "microseconds",
    least: 50,
    floor: 0.05,
  },
  quietWakeUps: {
    group: "idle",
    heading: "Wake-ups/s at 100/s",
    description: "wake-ups of the server's threads in such a second",
    format: "decimal",
    least: 1,
    floor: 0.05,
  },
} as const satisfies Readonly<Record<string, Cost>>;

export type CostId = keyof typeof COSTS;
/** In the order of the rows. */
export const COST_IDS = Object.keys(COSTS) as readonly CostId[];

/** Returns the costs of some groups. */
export function costsOf(groups: readonly CostGroup[]): readonly CostId[] {
  return COST_IDS.filter((id) => groups.includes(COSTS[id].group));
}

/** Returns the number of costs that a run compares: those with a load at each scenario. */
export function comparisonsOf(groups: readonly CostGroup[], scenarios: number): number {
  const loaded = costsOf(groups.filter((group) => LOADED_GROUPS.includes(group))).length;
  return costsOf(groups).length + (scenarios - 1) * loaded;
}

/** Thresholds of the gate, as shares: 0.05 is 5 %. */
export interface Thresholds {
  /** For rate, CPU time and latency; null without one. */
  readonly speed: number | null;
  readonly costs: Readonly<Partial<Record<CostGroup, number>>>;
}

export const NO_THRESHOLDS: Thresholds = { speed: null, costs: {} };

/** Parses thresholds such as `5%` or `5%,memory=10%`; returns null for other texts. */
export function parseThresholds(text: string): Thresholds | null {
  let speed: number | null = null;
  const costs: Partial<Record<CostGroup, number>> = {};
  for (const part of text.split(",")) {
    const [, name, number] = /^\s*(?:([\w.]+)=)?(\d{1,3}(?:\.\d+)?) ?%?\s*$/.exec(part) ?? [];
    const group = COST_GROUPS.find((one) => one === name);
    const share = Number(number) / 100;
    if (!(share <= 1) || (name !== undefined && group === undefined)) return null;
    if (group === undefined ? speed !== null : group in costs) return null;
    if (group === undefined) speed = share;
    else costs[group] = share;
  }
  return { speed, costs };
}

/** Returns the thresholds of an experiment's design. */
export function thresholdsOf(
  { failOn, failOnCosts }: {
    readonly failOn: number | null;
    readonly failOnCosts: Thresholds["costs"];
  },
): Thresholds {
  return { speed: failOn, costs: failOnCosts };
}

function describedWithUnit({ description, format }: Cost): string {
  const unit = UNITS[format];
  return unit === null ? description : `${description}, in ${unit}`;
}

const cost = s.oneOf(...COST_IDS);

export class CostRecord
  extends s.object("Raw: a cost of one variant in one round, by a fresh process.", {
    variant: s.text.is("Id of the variant."),
    round: s.upTo(MOST.roundNumber, s.ordinal).is("Round, from 1."),
    scenario: s.text.orNull("Id of the scenario of the load; null without load."),
    perS: s.positive.orNull("Rate of the load, in requests per second; null without load."),
    cost: cost.is(
      `The cost: ${COST_IDS.map((id) => `\`${id}\`: ${describedWithUnit(COSTS[id])}`).join("; ")}.`,
    ),
    value: s.amount.is("The value, in the unit of the cost."),
    isLate: s.flag.is(
      "Whether the load generator was late, so that the value is not the server's. It is not compared.",
    ),
  }) {}

export class CostAbsence extends s.object("The reason for a missing cost.", {
  group: s.oneOf(...COST_GROUPS).is("Group of the missing costs."),
  variant: s.text.orNull("Id of the variant; null if it concerns no single one."),
  scenario: s.text.orNull("Id of the scenario; null for costs without load."),
  round: s.upTo(MOST.roundNumber, s.ordinal).orNull(
    "The only round without the costs; null if they are missing in the whole run.",
  ),
  reason: Reason.is("The reason."),
}) {}
