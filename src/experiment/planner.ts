import { roundsToDecide } from "../analysis/changes.ts";
import type { Block } from "../model/block.ts";
import type { ResultKey } from "../model/derived.ts";
import type { Plan } from "../model/events.ts";
import type { Design, Experiment, Load, LoadPlan, Trial, Variant } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import { seededRandom, shuffle } from "../stats/shuffle.ts";
import { loadsOf, MANY, mostWarmupS, WINDOWS_EVERY } from "./options.ts";

/**
 * Number of pairs of windows in a scale test. One window of a pair has the run's number of shards or
 * connections. The other window has twice that number.
 */
const SCALE_PAIRS = 3;
/** Number of windows of a scale test. */
export const SCALE_WINDOWS: number = 2 * SCALE_PAIRS;

/** Length of a pilot window, in seconds. It suffices to see which component is busy. */
const PILOT_S = 0.3;
/** Maximum warm-up before a pilot window, in seconds. */
const PILOT_WARMUP_S = 0.3;
/** Length of a window in a scale test of connections, in seconds. It suffices to measure a rate. */
const CONNECTIONS_TEST_S = 0.7;

/** A scenario with its load. */
interface PlannedWorkload {
  readonly scenario: Scenario;
  readonly load: Load;
}

/** A server to profile at a scenario, and its load. */
export interface ProfileOrder {
  readonly variant: Variant;
  readonly scenario: Scenario;
  readonly generator: string;
  readonly load: Load;
}

/** Returns the id of the load generator for a variant and a scenario. */
export type GeneratorOf = (variant: Variant, scenario: Scenario) => string;

/**
 * Selects the results that a round measures, by windows and by slices. The reference server is always
 * included.
 */
interface Wanted {
  readonly windows: (key: ResultKey) => boolean;
  readonly slices: (key: ResultKey) => boolean;
}

/** Warm-up before slices or windows if the server processes are already warm, in seconds. */
const WARM_S = 0.2;

const ALL: Wanted = { windows: () => true, slices: () => true };
const NOTHING: Plan = { trials: [], blocks: [] };

/**
 * Plans rounds. In each round, every server is started once and measured by windows at every scenario and
 * number of connections. With many servers, only some rounds have windows. For slices, all servers are then
 * started again, at the same time; a single server keeps its process.
 *
 * The order of servers and workloads is shuffled in every second round and reversed in the next one. A drift
 * during the run therefore affects all servers and workloads equally.
 */
export class Planner {
  readonly #load: LoadPlan;
  readonly #design: Design;
  readonly #reference: Variant | null;
  readonly #windowsEvery: number;
  readonly #random: () => number;
  readonly #generatorOf: GeneratorOf;
  /** The requested variants and workloads, in the order of the options. */
  readonly #asked: {
    readonly variants: readonly Variant[];
    readonly workloads: readonly PlannedWorkload[];
  };
  #order: { variants: readonly Variant[]; workloads: readonly PlannedWorkload[] };
  #round = 0;
  #trials = 0;

  /** @param available variants that can be measured, and the reference; by default those of the experiment */
  constructor(
    { variants: all, reference: own, scenarios, load, design }: Omit<Experiment, "kind" | "search">,
    { variants, reference }: Pick<Experiment, "variants" | "reference"> = {
      variants: all,
      reference: own,
    },
    generatorOf: GeneratorOf = ({ generator }) => generator,
  ) {
    this.#load = load;
    this.#design = design;
    this.#reference = reference;
    const isMany = design.slices !== null && !design.ratiosOnly && all.length >= MANY;
    this.#windowsEvery = isMany ? WINDOWS_EVERY : 1;
    this.#generatorOf = generatorOf;
    this.#random = seededRandom(design.seed);
    this.#asked = {
      variants,
      workloads: scenarios.flatMap((scenario) => workloadsOf(scenario, load)),
    };
    this.#order = this.#asked;
  }

  /** Returns the number of rounds that were planned so far. */
  get rounds(): number {
    return this.#round;
  }

  /**
   * Plans a pilot window for each result. It shows whether the variant's load generator would be the
   * bottleneck, so that another one must replace it.
   */
  pilots(): Plan {
    if (this.#design.fallback === null || this.#load.requests !== null) return NOTHING;
    const { variants, workloads } = this.#order;
    const own = workloads.filter(({ scenario, load }) =>
      load.responses === null && isInWindows(this.#design, scenario)
    );
    const trials = variants.flatMap((variant) =>
      own.filter((workload) => isImplemented(workload, variant)).map((workload): Trial => {
        const trial = this.#trial(variant, workload, "pilot");
        const warmupS = Math.min(PILOT_WARMUP_S, trial.load.warmupS);
        return {
          ...trial,
          round: 1,
          load: { ...trial.load, warmupS, mostWarmupS: warmupS, durationS: PILOT_S },
        };
      })
    );
    return { trials, blocks: [] };
  }

  /** Plans the first rounds, which every run has. */
  firstRounds(): Plan {
    const rounds = Array.from({ length: this.#design.rounds }, () => this.nextRound());
    return rounds.reduce((all, { trials, blocks }) => ({
      trials: [...all.trials, ...trials],
      blocks: [...all.blocks, ...blocks],
    }), NOTHING);
  }

  /** Plans one more round of the selected results. */
  nextRound(wanted: Wanted = ALL): Plan {
    const { variants, workloads } = this.#order;
    this.#order = ++this.#round % 2 === 1
      ? { variants: shuffle(variants, this.#random), workloads: shuffle(workloads, this.#random) }
      : { variants: variants.toReversed(), workloads: workloads.toReversed() };
    return {
      trials: this.#windows(wanted.windows),
      blocks: this.#slices("measure", wanted.slices),
    };
  }

  /** Plans one more round of slices that only confirms changes. */
  confirmation(isWanted: (key: ResultKey) => boolean): Plan {
    this.#round++;
    return { trials: [], blocks: this.#slices("confirm", isWanted) };
  }

  /**
   * Plans the scale test of one result, with one server process. Windows with the usual and with twice the
   * number of shards or connections alternate.
   */
  scaleTest(wanted: ResultKey, what: "shards" | "connections"): Plan {
    const variant = this.#order.variants.find(({ id }) => id === wanted.variant) as Variant;
    const workload = this.#order.workloads.find(({ scenario, load }) =>
      scenario.id === wanted.scenario && load.connections === wanted.connections
    ) as PlannedWorkload;
    this.#round++;
    const trials = Array.from({ length: SCALE_PAIRS }, (_, i) => i % 2 === 0 ? [1, 2] : [2, 1])
      .flat().map((times, i): Trial => {
        const trial = this.#trial(variant, workload, "scale");
        const usual = what === "connections" ? connectionsTestLoad(trial.load, i) : trial.load;
        const load = { ...usual, [what]: times * usual[what] };
        return { ...trial, load, workloadConnections: wanted.connections };
      });
    return { trials, blocks: [] };
  }

  /** Returns the profiles to take after all measurements, one server after the other. */
  profiles(): readonly ProfileOrder[] {
    const { profileS, seed } = this.#design;
    if (profileS === null) return [];
    const { variants, workloads } = this.#asked;
    return variants.flatMap((variant) =>
      workloads.filter((workload) => isImplemented(workload, variant)).map((
        { scenario, load },
      ) => ({
        variant,
        scenario,
        generator: this.#generatorOf(variant, scenario),
        load: {
          ...load,
          ...this.#warmup({ scenario, load }, variant),
          durationS: profileS,
          responses: null,
          open: load.open && { ...load.open, seed },
        },
      }))
    );
  }

  #windows(isWanted: (key: ResultKey) => boolean): Trial[] {
    const { variants, workloads } = this.#order;
    const isSpared = (this.#round - 1) % this.#windowsEvery !== 0;
    const own = workloads.filter(({ scenario }) =>
      isInWindows(this.#design, scenario) && !(isSpared && isInSlices(this.#design, scenario))
    );
    return variants.flatMap((variant) =>
      own.filter((workload) =>
        isImplemented(workload, variant) && isWanted(keyOf(variant, workload))
      )
        .map((workload) => this.#trial(variant, workload, "measure"))
    );
  }

  #slices(purpose: Block["purpose"], isWanted: (key: ResultKey) => boolean): Block[] {
    const { slices } = this.#design;
    if (slices === null) return [];
    const reference = this.#reference === null ? [] : [this.#reference];
    const isWarm = sharesProcess(this.#design, this.#order.variants) && purpose === "measure";
    const workloads = this.#order.workloads.filter(({ scenario }) =>
      isInSlices(this.#design, scenario)
    );
    const blocks = workloads.flatMap((workload) => {
      const { scenario, load: { connections, timeoutS } } = workload;
      const own = this.#order.variants.filter((variant) =>
        isImplemented(workload, variant) && isWanted(keyOf(variant, workload))
      );
      const variants = [...own, ...reference];
      if (own.length === 0 || variants.length < 2) return [];
      return [{
        purpose,
        round: this.#round,
        scenario: scenario.id,
        variants: variants.map(({ id }) => id),
        connections,
        perS: null,
        timeoutS,
        warmupS: Math.max(...own.map((variant) => this.#warmup(workload, variant).warmupS)),
        mostWarmupS: Math.max(...own.map((variant) => this.#warmup(workload, variant).mostWarmupS)),
        durationS: slices.durationS,
      }];
    });
    // The first block warms up the reference, which has no windows
    return blocks.map((block, i) =>
      isWarm && i > 0 ? { ...block, warmupS: Math.min(WARM_S, block.warmupS) } : block
    );
  }

  #trial(variant: Variant, workload: PlannedWorkload, purpose: Trial["purpose"]): Trial {
    const { scenario, load } = workload;
    return {
      index: this.#trials++,
      purpose,
      round: this.#round,
      variant: variant.id,
      scenario: scenario.id,
      generator: this.#generatorOf(variant, scenario),
      load: {
        ...load,
        ...this.#warmup(workload, variant),
        // All variants of a round get the same arrival times
        open: load.open && { ...load.open, seed: this.#design.seed + this.#round },
      },
      workloadConnections: null,
    };
  }

  /** Returns the warm-up in seconds: that of the load or that of the server, whichever is longer. */
  #warmup({ load }: PlannedWorkload, { server }: Variant): Pick<Load, "warmupS" | "mostWarmupS"> {
    const warmupS = this.#load.warmupS ?? Math.max(load.warmupS, server.warmupS ?? 0);
    // With waves or a given rate, the rate does not climb
    const isFixed = load.responses !== null || load.open !== null;
    return { warmupS, mostWarmupS: isFixed ? warmupS : mostWarmupS(this.#load, warmupS) };
  }
}

/**
 * Returns the load of one window in a scale test of connections. The first window warms the server up, so
 * later ones have a shorter warm-up.
 *
 * @param place index of the window in the test
 */
export function connectionsTestLoad(load: Load, place: number): Load {
  const warmupS = place === 0 ? load.warmupS : Math.min(WARM_S, load.warmupS);
  return { ...load, warmupS, durationS: Math.min(CONNECTIONS_TEST_S, load.durationS) };
}

/**
 * Returns the number of confirmation rounds: as many as the first rounds, or more if a decision needs more.
 */
export function confirmationRounds({ rounds }: Design): number {
  return Math.max(rounds, roundsToDecide(1));
}

/**
 * Returns whether slices use the same server process as the windows of their round. With several servers they
 * do not: all servers run during slices, but only one runs during windows.
 */
export function sharesProcess(
  { ratiosOnly, slices }: Design,
  variants: readonly Variant[],
): boolean {
  return slices !== null && !ratiosOnly && variants.length === 1;
}

/** Returns whether an experiment measures at least one scenario by windows. */
export function hasWindows(
  { design, scenarios }: Pick<Experiment, "design" | "scenarios">,
): boolean {
  return scenarios.some((scenario) => isInWindows(design, scenario));
}

function isInWindows(design: Design, scenario: Scenario): boolean {
  return !design.ratiosOnly || !isInSlices(design, scenario);
}

/** Returns whether a scenario is measured in slices. Responses that come in waves do not fit into a slice. */
function isInSlices({ slices }: Design, { cycle }: Scenario): boolean {
  return slices !== null && cycle === null;
}

function isImplemented({ scenario }: PlannedWorkload, { server }: Variant): boolean {
  return scenario.id in server.scenarios;
}

function keyOf({ id }: Variant, { scenario, load }: PlannedWorkload): ResultKey {
  return {
    variant: id,
    scenario: scenario.id,
    connections: load.connections,
    perS: load.open?.perS ?? null,
  };
}

/** Returns a workload for each load of a scenario. */
function workloadsOf(scenario: Scenario, plan: LoadPlan): PlannedWorkload[] {
  return loadsOf(scenario, plan).map((load) => ({ scenario, load }));
}
