/** Plans the rounds of an experiment: trials of windows, and blocks of slices. */
import { roundsToDecide } from "../analysis/changes.ts";
import { isSameResult } from "../analysis/keys.ts";
import type { Block } from "../model/block.ts";
import type { ResultKey } from "../model/derived.ts";
import type { Plan } from "../model/events.ts";
import type { Design, Experiment, Load, LoadPlan, Trial, Variant } from "../model/experiment.ts";
import { isSpecial, type Scenario } from "../model/scenario.ts";
import { seededRandom, shuffle } from "../stats/shuffle.ts";
import { MANY } from "./kinds.ts";
import { loadsOf, warmedUp, withWarmup } from "./loads.ts";

/** With {@linkcode MANY} servers or more, every third round has windows, beginning with the first. */
const WINDOWS_EVERY = 3;
/** How many times the run's shards or connections each window of a scale test has. */
const SCALE_FACTORS = [1, 2, 2, 1, 1, 2] as const;
/** Number of windows of a scale test. */
export const SCALE_WINDOWS = SCALE_FACTORS.length;
/** Length of a pilot window and maximum of its warm-up, in seconds: it shows which component is busy. */
const PILOT_S = 0.3;
/** Length of a window in a scale test of connections, in seconds. It suffices to measure a rate. */
const CONNECTIONS_TEST_S = 0.7;
/** Warm-up before slices or windows if the server processes are already warm, in seconds. */
const WARM_S = 0.2;

interface Job {
  readonly variant: Variant;
  readonly scenario: Scenario;
  readonly load: Load;
}

/** A server to profile at a scenario, its load, and the id of the load generator. */
export interface ProfileOrder extends Job {
  readonly generator: string;
}

/** Returns the id of the load generator for a variant and a scenario. */
export type GeneratorOf = (variant: Variant, scenario: Scenario) => string;
type IsWanted = (key: ResultKey) => boolean;
const ALL: IsWanted = () => true;

interface Order {
  readonly variants: readonly Variant[];
  readonly workloads: readonly Pick<Job, "scenario" | "load">[];
}

/**
 * Plans rounds. In each round, every server is started once for each scenario, and measured by windows at
 * every number of connections. With many servers, only some rounds have windows. For slices, all servers
 * are then started again, at the same time; a single server keeps its process. In some runs, servers keep
 * their processes for all scenarios of a round: {@linkcode hasFreshProcesses}.
 *
 * The order of servers and workloads is shuffled in every second round and reversed in the next one. A
 * drift during the run therefore affects all servers and workloads equally.
 */
export class Planner {
  readonly #load: LoadPlan;
  readonly #design: Design;
  readonly #reference: readonly Variant[];
  readonly #windowsEvery: number;
  readonly #isFresh: boolean;
  readonly #random: () => number;
  readonly #generatorOf: GeneratorOf;
  /** The requested variants and workloads, in the order of the options. */
  readonly #asked: Order;
  #order: Order;
  #round = 0;
  #trials = 0;

  /** @param available variants that can be measured, and the reference; by default those of the experiment */
  constructor(
    experiment: Omit<Experiment, "kind" | "search">,
    { variants, reference }: Pick<Experiment, "variants" | "reference"> = experiment,
    generatorOf: GeneratorOf = ({ generator }) => generator,
  ) {
    const { scenarios, load, design } = experiment;
    this.#load = load;
    this.#design = design;
    this.#reference = reference === null ? [] : [reference];
    const isMany = design.slices !== null && !design.ratiosOnly &&
      experiment.variants.length >= MANY;
    this.#windowsEvery = isMany ? WINDOWS_EVERY : 1;
    this.#isFresh = hasFreshProcesses(design, variants);
    this.#generatorOf = generatorOf;
    this.#random = seededRandom(design.seed);
    const workloads = scenarios.flatMap((scenario) =>
      loadsOf(scenario, load).map((load) => ({ scenario, load }))
    );
    this.#asked = this.#order = { variants, workloads };
  }

  get rounds(): number {
    return this.#round;
  }

  /** Leaves out the round numbers that an earlier part of the run has used. */
  skipTo(round: number): void {
    this.#round = Math.max(this.#round, round);
  }

  /**
   * Plans a pilot window for each result of which the generator could be another. It shows whether the generator
   * would be the bottleneck.
   */
  pilots(): Plan {
    if (this.#design.fallback === null || this.#load.requests !== null) return windows([]);
    const jobs = this.#windowJobs(this.#asked).filter(({ scenario, load }) =>
      load.responses === null && !isSpecial(scenario)
    );
    return windows(jobs.map((job) => {
      const trial = this.#trial(job, "pilot");
      const warmupS = Math.min(PILOT_S, trial.load.warmupS);
      const load = { ...trial.load, warmupS, mostWarmupS: warmupS, durationS: PILOT_S };
      return { ...trial, round: 1, load };
    }));
  }

  firstRounds(): Plan {
    const rounds = Array.from({ length: this.#design.rounds }, () => this.nextRound());
    return {
      trials: rounds.flatMap(({ trials }) => trials),
      blocks: rounds.flatMap(({ blocks }) => blocks),
    };
  }

  /** Plans one more round of the selected results. The reference server is always included. */
  nextRound(
    wanted: Readonly<Record<"windows" | "slices", IsWanted>> = { windows: ALL, slices: ALL },
  ): Plan {
    const { variants, workloads } = this.#order;
    this.#order = ++this.#round % 2 === 1
      ? { variants: shuffle(variants, this.#random), workloads: shuffle(workloads, this.#random) }
      : { variants: variants.toReversed(), workloads: workloads.toReversed() };
    const isSpared = (this.#round - 1) % this.#windowsEvery !== 0;
    const trials = this.#windowJobs(this.#order).filter((job) =>
      !(isSpared && isInSlices(this.#design, job.scenario)) && wanted.windows(keyOf(job))
    ).map((job) => this.#trial(job, "measure"));
    return { trials, blocks: this.#slices("measure", wanted.slices) };
  }

  /** Plans one more round of slices that only confirms changes. */
  confirmation(isWanted: IsWanted): Plan {
    this.#round++;
    return { trials: [], blocks: this.#slices("confirm", isWanted) };
  }

  /** Plans the scale test of one result: in one process, windows with once and twice `what`. */
  scaleTest(wanted: ResultKey, what: "shards" | "connections"): Plan {
    const job = this.#jobs(this.#asked).find((job) => isSameResult(keyOf(job), wanted)) as Job;
    this.#round++;
    const first = this.#trial(job, "scale");
    return windows(
      scaleTestOf(first, what).map((trial, i) => ({
        ...trial,
        index: i === 0 ? first.index : this.#trials++,
        workloadConnections: wanted.connections,
      })),
    );
  }

  /** Returns the profiles to take after all measurements, one server after the other. */
  profiles(profileS: number | null = this.#design.profileS): readonly ProfileOrder[] {
    const { seed } = this.#design;
    if (profileS === null) return [];
    return this.#jobs(this.#asked).map(({ variant, scenario, load }) => ({
      variant,
      scenario,
      generator: this.#generatorOf(variant, scenario),
      load: { ...seeded(load, seed), durationS: profileS, responses: null },
    }));
  }

  /** Returns the parts of a round in which each server keeps its process: the round, or each scenario. */
  #parts({ variants, workloads }: Order): Order[] {
    if (!this.#isFresh) return [{ variants, workloads }];
    return [...Map.groupBy(workloads, ({ scenario }) => scenario.id).values()].map((own) => ({
      variants,
      workloads: own,
    }));
  }

  /** Returns what to measure by windows, in the order of measurement. */
  #windowJobs(order: Order): Job[] {
    return this.#parts(order).flatMap((part) => this.#jobs(part)).filter(({ scenario }) =>
      isInWindows(this.#design, scenario)
    );
  }

  #slices(purpose: Block["purpose"], isWanted: IsWanted): Block[] {
    const { slices } = this.#design;
    if (slices === null) return [];
    const { variants: all } = this.#order;
    const workloads = this.#parts(this.#order).flatMap((part) => part.workloads);
    const blocks = workloads.flatMap((workload) => {
      const { scenario, load: { connections, timeoutS } } = workload;
      const own = this.#jobs({ variants: all, workloads: [workload] }).filter((job) =>
        isInSlices(this.#design, scenario) && isWanted(keyOf(job))
      );
      const variants = [...own.map(({ variant }) => variant), ...this.#reference];
      if (own.length === 0 || variants.length < 2) return [];
      const loads = [
        ...own.map(({ load }) => load),
        ...this.#reference.map(({ server }) => warmedUp(workload.load, this.#load, server)),
      ];
      const warmupS = Math.min(...loads.map(({ warmupS }) => warmupS));
      const early = own.filter(({ load }) => load.warmupS > warmupS);
      return [{
        purpose,
        round: this.#round,
        scenario: scenario.id,
        variants: variants.map(({ id }) => id),
        connections,
        perS: null,
        timeoutS,
        warmupS,
        // Only servers that still climb use it up
        mostWarmupS: warmupS + Math.max(...loads.map((load) => load.mostWarmupS - load.warmupS)),
        earlyS: Object.fromEntries(
          early.map(({ variant, load }) => [variant.id, load.warmupS - warmupS]),
        ),
        durationS: slices.durationS,
      }];
    });
    if (!sharesProcess(this.#design, all) || purpose !== "measure") return blocks;
    // Windows have warmed up the server. The first block of a process warms up the reference, which has none
    return blocks.map((block, i) => ({
      ...this.#isFresh || i === 0 ? block : withWarmup(block, Math.min(WARM_S, block.warmupS)),
      earlyS: {},
    }));
  }

  /** Returns what the variants measure, with the warm-up that each server needs. */
  #jobs({ variants, workloads }: Order): Job[] {
    return variants.flatMap((variant) =>
      workloads.filter(({ scenario }) => scenario.id in variant.server.scenarios)
        .map(({ scenario, load: usual }) => {
          const load = warmedUp(usual, this.#load, variant.server);
          // With waves or a given rate, the rate does not climb
          const isFixed = load.responses !== null || load.open !== null;
          return {
            variant,
            scenario,
            load: isFixed ? { ...load, mostWarmupS: load.warmupS } : load,
          };
        })
    );
  }

  #trial({ variant, scenario, load }: Job, purpose: Trial["purpose"]): Trial {
    return {
      index: this.#trials++,
      purpose,
      round: this.#round,
      variant: variant.id,
      scenario: scenario.id,
      generator: this.#generatorOf(variant, scenario),
      // All variants of a round get the same arrival times
      load: seeded(load, this.#design.seed + this.#round),
      workloadConnections: null,
    };
  }
}

function windows(trials: readonly Trial[]): Plan {
  return { trials, blocks: [] };
}

function keyOf({ variant, scenario, load }: Job): ResultKey {
  const { connections, open } = load;
  return { variant: variant.id, scenario: scenario.id, connections, perS: open?.perS ?? null };
}

/** Returns the load with a seed for its arrival times. */
function seeded(load: Load, seed: number): Load {
  return { ...load, open: load.open && { ...load.open, seed } };
}

/** Returns the windows of a scale test. Those of connections are short, and the first one warms up. */
export function scaleTestOf(trial: Trial, what: "shards" | "connections"): Trial[] {
  return SCALE_FACTORS.map((times, i) => {
    const load = { ...trial.load, [what]: times * trial.load[what] };
    if (what === "shards") return { ...trial, load };
    const warmed = i === 0 ? load : withWarmup(load, Math.min(WARM_S, load.warmupS));
    const durationS = Math.min(CONNECTIONS_TEST_S, load.durationS);
    return { ...trial, load: { ...warmed, durationS } };
  });
}

/** Returns the number of confirmation rounds: that of the first rounds, or more if a decision needs more. */
export function confirmationRounds({ rounds }: Design): number {
  return Math.max(rounds, roundsToDecide(1));
}

/** Returns whether slices use the windows' server process. Several servers must all run at once. */
export function sharesProcess(
  { ratiosOnly, slices }: Design,
  variants: readonly Variant[],
): boolean {
  return slices !== null && !ratiosOnly && variants.length === 1;
}

/**
 * Returns whether each scenario of a round has fresh processes: a server can be slower after other scenarios
 * (docs/evidence/2026-11-28-fresh-processes.md). A single server with a short warm-up keeps its process, which
 * saves a fifth of the time. Revisions of one server keep theirs: both run the same scenarios in the same order.
 */
export function hasFreshProcesses(
  { ratiosOnly }: Design,
  variants: readonly Variant[],
): boolean {
  // A server at a URL is never restarted
  const started = variants.filter(({ server }) => server.attached === null);
  return !ratiosOnly &&
    (started.length > 1 || started.some(({ server }) => server.warmupS !== null));
}

/** Returns whether an experiment measures at least one scenario by windows. */
export function hasWindows({ design, scenarios }: Experiment): boolean {
  return design.isTimed && scenarios.some((scenario) => isInWindows(design, scenario));
}

function isInWindows(design: Design, scenario: Scenario): boolean {
  return !design.ratiosOnly || !isInSlices(design, scenario);
}

/** Returns whether a scenario is measured in slices. Responses that come in waves do not fit into a slice. */
function isInSlices({ slices }: Design, { cycle }: Scenario): boolean {
  return slices !== null && cycle === null;
}
