import { roundsToDecide } from "../analysis/judge_changes.ts";
import type { Block } from "../model/block.ts";
import type { ResultKey } from "../model/derived.ts";
import type { Plan } from "../model/events.ts";
import type { Design, Experiment, Load, LoadPlan, Trial, Variant } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import { seededRandom, shuffle } from "../stats/shuffle.ts";
import { loadsOf, mostWarmupS } from "./loads.ts";
import { MANY, WINDOWS_EVERY } from "./options.ts";

/** The scale test: pairs of windows with the shards, or connections, of the run and with twice as many. */
const SCALE_PAIRS = 3;
export const SCALE_WINDOWS: number = 2 * SCALE_PAIRS;

/** Long enough to see who is busy. */
const PILOT_S = 0.3;
const PILOT_WARMUP_S = 0.3;
/** Long enough for a rate. */
const CONNECTIONS_TEST_S = 0.7;

/** A scenario under a number of connections. */
interface PlannedWorkload {
  readonly scenario: Scenario;
  readonly load: Load;
}

/** A server to be profiled at a scenario, and how it is driven meanwhile. */
export interface ProfileOrder {
  readonly variant: Variant;
  readonly scenario: Scenario;
  readonly generator: string;
  readonly load: Load;
}

/** Says which load generator drives a variant at a scenario. */
export type GeneratorOf = (variant: Variant, scenario: Scenario) => string;

/** Which results are measured in a round, by windows and by slices; those of the reference are not asked for. */
export interface Wanted {
  readonly windows: (key: ResultKey) => boolean;
  readonly slices: (key: ResultKey) => boolean;
}

/** Load in slices of servers that have been warmed up already. */
const WARM_S = 0.2;

const ALL: Wanted = { windows: () => true, slices: () => true };
const NOTHING: Plan = { trials: [], blocks: [] };

/**
 * Plans rounds one after the other. In each, or of many servers in some, every server is started once and
 * measured at every scenario that it implements, under each number of connections; then, where ratios are measured in slices, all of
 * them are started once more, at the same time. The order of servers and of what they do is shuffled for
 * every other round, and reversed for the one after it, so that all that drifts during a run meets all of
 * them alike.
 */
export class Planner {
  readonly #load: LoadPlan;
  readonly #design: Design;
  readonly #reference: Variant | null;
  readonly #windowsEvery: number;
  readonly #random: () => number;
  readonly #generatorOf: GeneratorOf;
  /** In the order in which they were asked for. */
  readonly #asked: {
    readonly variants: readonly Variant[];
    readonly workloads: readonly PlannedWorkload[];
  };
  #order: { variants: readonly Variant[]; workloads: readonly PlannedWorkload[] };
  #round = 0;
  #trials = 0;

  /** @param available variants that can be measured, and the reference; by default all of them */
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

  /** How many rounds there are so far. */
  get rounds(): number {
    return this.#round;
  }

  /** A short window of everything that there are windows of, where another load generator may take over. */
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

  /** The first rounds, which every run has. */
  firstRounds(): Plan {
    const rounds = Array.from({ length: this.#design.rounds }, () => this.nextRound());
    return rounds.reduce((all, { trials, blocks }) => ({
      trials: [...all.trials, ...trials],
      blocks: [...all.blocks, ...blocks],
    }), NOTHING);
  }

  /** One more round, of what is wanted. */
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

  /** One more round that counts for nothing but whether changes are found again. */
  confirmation(isWanted: (key: ResultKey) => boolean): Plan {
    this.#round++;
    return { trials: [], blocks: this.#slices("confirm", isWanted) };
  }

  /** The scale test of one result: shards or connections as in the run and twice as many, in turn, on one server. */
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

  /** What is profiled after everything was measured, server by server. */
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
    // The first one warms up the reference, which has no windows
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
        // The same times for all variants of a round
        open: load.open && { ...load.open, seed: this.#design.seed + this.#round },
      },
      workloadConnections: null,
    };
  }

  /** Server and scenario may each need more of a warm-up than usual. */
  #warmup({ load }: PlannedWorkload, { server }: Variant): Pick<Load, "warmupS" | "mostWarmupS"> {
    const warmupS = this.#load.warmupS ?? Math.max(load.warmupS, server.warmupS ?? 0);
    // Neither waves nor a given rate climb
    const isFixed = load.responses !== null || load.open !== null;
    return { warmupS, mostWarmupS: isFixed ? warmupS : mostWarmupS(this.#load, warmupS) };
  }
}

/** The load of one window of a scale test of connections: the server is warm after the first. */
export function connectionsTestLoad(load: Load, place: number): Load {
  const warmupS = place === 0 ? load.warmupS : Math.min(WARM_S, load.warmupS);
  return { ...load, warmupS, durationS: Math.min(CONNECTIONS_TEST_S, load.durationS) };
}

/** How many rounds find out whether a change is found again: as many as at first, and enough to tell. */
export function confirmationRounds({ rounds }: Design): number {
  return Math.max(rounds, roundsToDecide(1));
}

/**
 * Whether the process of a round's windows is measured in slices too. Of several servers it is not, since each
 * is alone while its windows are measured.
 */
export function sharesProcess(
  { ratiosOnly, slices }: Design,
  variants: readonly Variant[],
): boolean {
  return slices !== null && !ratiosOnly && variants.length === 1;
}

/** Whether anything is measured by windows. */
export function hasWindows(
  { design, scenarios }: Pick<Experiment, "design" | "scenarios">,
): boolean {
  return scenarios.some((scenario) => isInWindows(design, scenario));
}

function isInWindows(design: Design, scenario: Scenario): boolean {
  return !design.ratiosOnly || !isInSlices(design, scenario);
}

/** What answers in waves has nothing to show in a slice. */
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

/** A scenario under each number of connections. */
function workloadsOf(scenario: Scenario, plan: LoadPlan): PlannedWorkload[] {
  return loadsOf(scenario, plan).map((load) => ({ scenario, load }));
}
