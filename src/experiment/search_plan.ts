/** Plans the windows of capacity searches. */
import type { Plan } from "../model/events.ts";
import type { Experiment, Load, Trial, Variant } from "../model/experiment.ts";
import { seededRandom, shuffle } from "../stats/shuffle.ts";
import { loadsOf, warmedUp } from "./loads.ts";
import type { ProfileOrder } from "./planner.ts";

/** A server and a scenario of a capacity search. */
export type CapacitySearch = Pick<ProfileOrder, "variant" | "scenario">;

/** Length of a pilot window, in seconds: enough for a start rate. */
const PILOT_S = 1;
/** Warm-up of a server process that has handled load before, in seconds. */
const WARM_S = 0.2;
/** Estimated time for verifying a server before each window, in seconds. */
const TRIAL_OVERHEAD_S = 0.3;
/** Estimated time for starting and stopping a server process, in seconds. */
const PROCESS_OVERHEAD_S = 1;
const USUAL_TRIALS = 9;
/** Usual number of confirmations of a search. Each one needs a fresh process. */
const USUAL_CONFIRMATIONS = 4;
/** Assumed factor between the duration of the longest search and that of a usual one. */
const LONGEST_FACTOR = 2;
const DIGITS = 4;

/** Plans the windows of searches. All windows of one round use the same server process. */
export class SearchPlanner {
  /** The searches in order: every server at one scenario, then every server at the next one. */
  readonly searches: readonly CapacitySearch[];
  readonly #experiment: Experiment;
  readonly #shares: readonly number[];
  #index = 0;
  #round = 0;

  constructor(experiment: Experiment, variants: readonly Variant[]) {
    const { scenarios, design, search } = experiment;
    const random = seededRandom(design.seed);
    this.#experiment = experiment;
    this.#shares = search?.shares ?? [];
    this.searches = shuffle(scenarios, random).flatMap((scenario) =>
      shuffle(variants, random).filter(({ server }) => scenario.id in server.scenarios)
        .map((variant) => ({ variant, scenario }))
    );
  }

  /** Plans a short closed loop for each search. The measured rate gives the start rate. */
  pilots(): Plan {
    const { defaultConnections } = this.#experiment.load;
    const trials = this.searches.map((search) => {
      this.#round++;
      const connections = search.scenario.connections ?? defaultConnections;
      const load = { ...this.loadAt(search, null), connections, durationS: PILOT_S };
      return this.#trial(search, "pilot", load);
    });
    return { trials, blocks: [] };
  }

  /** Plans the next window of a search. The first one, and a fresh one, need a new process. */
  next(search: CapacitySearch, perS: number, isFirst: boolean, isFresh: boolean): Plan {
    if (isFirst || isFresh) this.#round++;
    const load = this.loadAt(search, perS);
    const purpose = isFresh ? "confirm" : "search";
    const trial = this.#trial(search, purpose, isFirst || isFresh ? load : warmed(load));
    return { trials: [trial], blocks: [] };
  }

  /** Plans windows at fractions of a server's capacity, in one fresh process. */
  curve(search: CapacitySearch, heldPerS: number): Plan {
    this.#round++;
    const trials = this.#shares.map((share, i) => {
      const load = this.loadAt(search, Number((share * heldPerS).toPrecision(DIGITS)));
      return this.#trial(search, "measure", i === 0 ? load : warmed(load));
    });
    return { trials, blocks: [] };
  }

  /** Returns the maximum time that searches take after their pilot windows, in seconds. */
  mostS(searches = this.searches): number {
    const processes = 2 + USUAL_CONFIRMATIONS;
    const windows = USUAL_TRIALS + USUAL_CONFIRMATIONS + this.#shares.length;
    return LONGEST_FACTOR * searches.reduce((sum, search) => {
      const { warmupS, durationS } = this.loadAt(search, null);
      return sum + windows * (durationS + WARM_S + TRIAL_OVERHEAD_S) +
        processes * (warmupS + PROCESS_OVERHEAD_S);
    }, 0);
  }

  /** Returns the load of a server at a rate. Null means a closed loop. */
  loadAt({ variant, scenario }: CapacitySearch, perS: number | null): Load {
    const { load, design } = this.#experiment;
    const rates = perS === null ? null : { [scenario.id]: [perS] };
    const open = rates && load.open && { ...load.open, perS: rates };
    const [usual] = loadsOf(scenario, { ...load, open }) as [Load];
    return {
      ...warmedUp(usual, load, variant.server),
      responses: null,
      // Every window has other arrival times
      open: usual.open && { ...usual.open, seed: design.seed + this.#index },
    };
  }

  #trial({ variant, scenario }: CapacitySearch, purpose: Trial["purpose"], load: Load): Trial {
    return {
      index: this.#index++,
      purpose,
      round: this.#round,
      variant: variant.id,
      scenario: scenario.id,
      generator: variant.generator,
      load,
      workloadConnections: null,
    };
  }
}

function warmed(load: Load): Load {
  return { ...load, warmupS: Math.min(WARM_S, load.warmupS) };
}
