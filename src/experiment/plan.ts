import { roundsToDecide } from "../analysis/judge.ts";
import type { Block } from "../model/block.ts";
import type { ResultKey } from "../model/derived.ts";
import type { Plan } from "../model/events.ts";
import type { Arm, Design, Experiment, Load, LoadPlan, Trial } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import { seededRandom, shuffle } from "../stats/shuffle.ts";
import { loadsOf, mostWarmupS } from "./loads.ts";
import { MANY, WINDOWS_EVERY } from "./options.ts";

/** The scale test: pairs of windows with the shards, or connections, of the run and with twice as many. */
const SCALE_PAIRS = 3;
export const SCALE_WINDOWS: number = 2 * SCALE_PAIRS;

/** Long enough to see who is busy. */
const PROBE_S = 0.3;
const PROBE_WARMUP_S = 0.3;
/** Long enough for a rate. */
const CONNECTIONS_TEST_S = 0.7;

/** A scenario under a number of connections. */
interface Workload {
  readonly scenario: Scenario;
  readonly load: Load;
}

/** A server to be profiled at a scenario, and how it is driven meanwhile. */
export interface ProfileOrder {
  readonly arm: Arm;
  readonly scenario: Scenario;
  readonly generator: string;
  readonly load: Load;
}

/** Says which load generator drives an arm at a scenario. */
export type GeneratorOf = (arm: Arm, scenario: Scenario) => string;

/** Which cells are measured in a round, by windows and by slices; those of the reference are not asked for. */
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
  readonly #reference: Arm | null;
  readonly #windowsEvery: number;
  readonly #random: () => number;
  readonly #generatorOf: GeneratorOf;
  /** In the order in which they were asked for. */
  readonly #asked: { readonly arms: readonly Arm[]; readonly workloads: readonly Workload[] };
  #order: { arms: readonly Arm[]; workloads: readonly Workload[] };
  #round = 0;
  #trials = 0;

  /** @param available arms that can be measured, and the reference; by default all of them */
  constructor(
    { arms: all, reference: own, scenarios, load, design }: Omit<Experiment, "kind" | "search">,
    { arms, reference }: Pick<Experiment, "arms" | "reference"> = { arms: all, reference: own },
    generatorOf: GeneratorOf = ({ generator }) => generator,
  ) {
    this.#load = load;
    this.#design = design;
    this.#reference = reference;
    const isMany = design.slices !== null && !design.ratiosOnly && all.length >= MANY;
    this.#windowsEvery = isMany ? WINDOWS_EVERY : 1;
    this.#generatorOf = generatorOf;
    this.#random = seededRandom(design.seed);
    this.#asked = { arms, workloads: scenarios.flatMap((scenario) => workloadsOf(scenario, load)) };
    this.#order = this.#asked;
  }

  /** How many rounds there are so far. */
  get rounds(): number {
    return this.#round;
  }

  /** A short window of everything that there are windows of, where another load generator may take over. */
  probes(): Plan {
    if (this.#design.fallback === null || this.#load.requests !== null) return NOTHING;
    const { arms, workloads } = this.#order;
    const own = workloads.filter(({ scenario, load }) =>
      load.responses === null && isInWindows(this.#design, scenario)
    );
    const trials = arms.flatMap((arm) =>
      own.filter((workload) => isImplemented(workload, arm)).map((workload): Trial => {
        const trial = this.#trial(arm, workload, "probe");
        const warmupS = Math.min(PROBE_WARMUP_S, trial.load.warmupS);
        return {
          ...trial,
          round: 1,
          load: { ...trial.load, warmupS, mostWarmupS: warmupS, durationS: PROBE_S },
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
    const { arms, workloads } = this.#order;
    this.#order = ++this.#round % 2 === 1
      ? { arms: shuffle(arms, this.#random), workloads: shuffle(workloads, this.#random) }
      : { arms: arms.toReversed(), workloads: workloads.toReversed() };
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

  /** The scale test of one cell: shards or connections as in the run and twice as many, in turn, on one server. */
  scaleTest(wanted: ResultKey, what: "shards" | "connections"): Plan {
    const arm = this.#order.arms.find(({ id }) => id === wanted.arm) as Arm;
    const workload = this.#order.workloads.find(({ scenario, load }) =>
      scenario.id === wanted.scenario && load.connections === wanted.connections
    ) as Workload;
    this.#round++;
    const trials = Array.from({ length: SCALE_PAIRS }, (_, i) => i % 2 === 0 ? [1, 2] : [2, 1])
      .flat().map((times, i): Trial => {
        const trial = this.#trial(arm, workload, "scale");
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
    const { arms, workloads } = this.#asked;
    return arms.flatMap((arm) =>
      workloads.filter((workload) => isImplemented(workload, arm)).map(({ scenario, load }) => ({
        arm,
        scenario,
        generator: this.#generatorOf(arm, scenario),
        load: {
          ...load,
          ...this.#warmup({ scenario, load }, arm),
          durationS: profileS,
          responses: null,
          open: load.open && { ...load.open, seed },
        },
      }))
    );
  }

  #windows(isWanted: (key: ResultKey) => boolean): Trial[] {
    const { arms, workloads } = this.#order;
    const isSpared = (this.#round - 1) % this.#windowsEvery !== 0;
    const own = workloads.filter(({ scenario }) =>
      isInWindows(this.#design, scenario) && !(isSpared && isInSlices(this.#design, scenario))
    );
    return arms.flatMap((arm) =>
      own.filter((workload) => isImplemented(workload, arm) && isWanted(keyOf(arm, workload)))
        .map((workload) => this.#trial(arm, workload, "measure"))
    );
  }

  #slices(purpose: Block["purpose"], isWanted: (key: ResultKey) => boolean): Block[] {
    const { slices } = this.#design;
    if (slices === null) return [];
    const reference = this.#reference === null ? [] : [this.#reference];
    const isWarm = sharesProcess(this.#design, this.#order.arms) && purpose === "measure";
    const workloads = this.#order.workloads.filter(({ scenario }) =>
      isInSlices(this.#design, scenario)
    );
    const blocks = workloads.flatMap((workload) => {
      const { scenario, load: { connections, timeoutS } } = workload;
      const own = this.#order.arms.filter((arm) =>
        isImplemented(workload, arm) && isWanted(keyOf(arm, workload))
      );
      const arms = [...own, ...reference];
      if (own.length === 0 || arms.length < 2) return [];
      return [{
        purpose,
        round: this.#round,
        scenario: scenario.id,
        arms: arms.map(({ id }) => id),
        connections,
        perS: null,
        timeoutS,
        warmupS: Math.max(...own.map((arm) => this.#warmup(workload, arm).warmupS)),
        mostWarmupS: Math.max(...own.map((arm) => this.#warmup(workload, arm).mostWarmupS)),
        durationS: slices.durationS,
      }];
    });
    // The first one warms up the reference, which has no windows
    return blocks.map((block, i) =>
      isWarm && i > 0 ? { ...block, warmupS: Math.min(WARM_S, block.warmupS) } : block
    );
  }

  #trial(arm: Arm, workload: Workload, purpose: Trial["purpose"]): Trial {
    const { scenario, load } = workload;
    return {
      index: this.#trials++,
      purpose,
      round: this.#round,
      arm: arm.id,
      scenario: scenario.id,
      generator: this.#generatorOf(arm, scenario),
      load: {
        ...load,
        ...this.#warmup(workload, arm),
        // The same times for all arms of a round
        open: load.open && { ...load.open, seed: this.#design.seed + this.#round },
      },
      workloadConnections: null,
    };
  }

  /** Server and scenario may each need more of a warm-up than usual. */
  #warmup({ load }: Workload, { server }: Arm): Pick<Load, "warmupS" | "mostWarmupS"> {
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
export function sharesProcess({ ratiosOnly, slices }: Design, arms: readonly Arm[]): boolean {
  return slices !== null && !ratiosOnly && arms.length === 1;
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

function isImplemented({ scenario }: Workload, { server }: Arm): boolean {
  return scenario.id in server.scenarios;
}

function keyOf({ id }: Arm, { scenario, load }: Workload): ResultKey {
  return {
    arm: id,
    scenario: scenario.id,
    connections: load.connections,
    perS: load.open?.perS ?? null,
  };
}

/** A scenario under each number of connections. */
function workloadsOf(scenario: Scenario, plan: LoadPlan): Workload[] {
  return loadsOf(scenario, plan).map((load) => ({ scenario, load }));
}
