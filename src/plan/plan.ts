import type { RunConfig } from "../findings.ts";
import type { Load, Scenario, Target, Trial } from "../model.ts";
import { seededRandom, shuffle } from "./shuffle.ts";

/** How long one answer may take before it counts as timed out. */
const TIMEOUT_S = 10;
/** What starting, verifying and stopping take beside the windows, roughly. */
const ROUND_OVERHEAD_S = 1;
const TRIAL_OVERHEAD_S = 0.2;
/** The scale test: pairs of windows with the shards of the run and with twice as many. */
const SCALE_PAIRS = 3;

/** One server at one scenario. */
export interface Pairing {
  readonly target: string;
  readonly scenario: string;
}

/**
 * Plans rounds one after the other: in each, every server is started once and measured at every
 * scenario that it implements. The order of servers and scenarios is shuffled for every other round,
 * and reversed for the one after it, so that whatever drifts during a run meets all of them alike.
 */
export class Planner {
  readonly #config: RunConfig;
  readonly #random: () => number;
  #order: { targets: readonly Target[]; scenarios: readonly Scenario[] };
  #round = 0;
  #trials = 0;

  constructor(config: RunConfig, targets: readonly Target[], scenarios: readonly Scenario[]) {
    this.#config = config;
    this.#random = seededRandom(config.seed);
    this.#order = { targets, scenarios };
  }

  /** How many rounds there are so far. */
  get rounds(): number {
    return this.#round;
  }

  /** The first rounds, which every run has. */
  firstRounds(): Trial[] {
    return Array.from({ length: this.#config.rounds }, () => this.nextRound()).flat();
  }

  /** One more round, of the pairings that are wanted. */
  nextRound(isWanted: (pairing: Pairing) => boolean = () => true): Trial[] {
    const { targets, scenarios } = this.#order;
    this.#order = ++this.#round % 2 === 1
      ? { targets: shuffle(targets, this.#random), scenarios: shuffle(scenarios, this.#random) }
      : { targets: targets.toReversed(), scenarios: scenarios.toReversed() };
    return this.#order.targets.flatMap((target) =>
      this.#order.scenarios
        .filter(({ id }) => id in target.scenarios && isWanted({ target: target.id, scenario: id }))
        .map((scenario) => this.#trial(target, scenario, this.#config.shards, "measure"))
    );
  }

  /** The scale test of one pairing: shards as in the run and twice as many, in turn, on one server. */
  scaleTest(wanted: Pairing): Trial[] {
    const target = this.#order.targets.find(({ id }) => id === wanted.target) as Target;
    const scenario = this.#order.scenarios.find(({ id }) => id === wanted.scenario) as Scenario;
    this.#round++;
    const { shards } = this.#config;
    return Array.from({ length: SCALE_PAIRS }, (_, i) => i % 2 === 0 ? [1, 2] : [2, 1]).flat()
      .map((times) => this.#trial(target, scenario, times * shards, "scale"));
  }

  #trial(
    target: Target,
    scenario: Scenario,
    shards: number,
    purpose: Trial["purpose"],
  ): Trial {
    return {
      index: this.#trials++,
      purpose,
      round: this.#round,
      target: target.id,
      scenario: scenario.id,
      generator: this.#config.generator,
      load: { ...loadOf(scenario, this.#config), shards },
    };
  }
}

/** How a scenario is loaded: as it needs to be, unless the person asked for something else. */
export function loadOf(scenario: Scenario, config: RunConfig): Load {
  const connections = config.connections ?? scenario.connections ?? config.defaultConnections;
  const { cycle } = scenario;
  const cycles = cycle === null ? 0 : Math.ceil(config.durationS / cycle.waitS);
  return {
    connections,
    shards: config.shards,
    warmupS: config.warmupS ?? scenario.warmupS ?? config.defaultWarmupS,
    durationS: cycle === null ? config.durationS : cycles * cycle.waitS,
    answers: cycle === null ? null : cycles * cycle.every * connections,
    timeoutS: TIMEOUT_S,
  };
}

/** About how long these trials take, in seconds. */
export function estimateS(trials: readonly Trial[]): number {
  let total = 0;
  let server = "";
  for (const { round, target, load } of trials) {
    if (server !== `${round} ${target}`) total += ROUND_OVERHEAD_S;
    server = `${round} ${target}`;
    // A wave of waiting answers has to come in before a window of whole cycles starts.
    const wave = load.answers === null ? 0 : 2;
    total += Math.max(load.warmupS, wave) + load.durationS + TRIAL_OVERHEAD_S;
  }
  return total;
}
