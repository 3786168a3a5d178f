import type { CellKey } from "../model/derived.ts";
import type { RunConfig } from "../model/report.ts";
import type { Load, Trial } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { seededRandom, shuffle } from "./shuffle.ts";

/** What starting, verifying and stopping take beside the windows, roughly. */
const ROUND_OVERHEAD_S = 1;
const TRIAL_OVERHEAD_S = 0.2;
/** The scale test: pairs of windows with the shards of the run and with twice as many. */
const SCALE_PAIRS = 3;

/** A scenario under a number of connections. */
interface Task {
  readonly scenario: Scenario;
  readonly load: Load;
}

/**
 * Plans rounds one after the other: in each, every server is started once and measured at every
 * scenario that it implements, under each number of connections. The order of servers and of what they
 * do is shuffled for every other round, and reversed for the one after it, so that whatever drifts
 * during a run meets all of them alike.
 */
export class Planner {
  readonly #config: RunConfig;
  readonly #random: () => number;
  readonly #generatorOf: ReadonlyMap<string, string> | null;
  readonly #generatorForWaves: string | null;
  #order: { targets: readonly Server[]; tasks: readonly Task[] };
  #round = 0;
  #trials = 0;

  /**
   * @param generatorOf each server's load generator, by its id, if it is not the configured one
   * @param generatorForWaves that of scenarios that answer in waves, if it is another
   */
  constructor(
    config: RunConfig,
    targets: readonly Server[],
    scenarios: readonly Scenario[],
    generatorOf: ReadonlyMap<string, string> | null = null,
    generatorForWaves: string | null = null,
  ) {
    this.#config = config;
    this.#generatorOf = generatorOf;
    this.#generatorForWaves = generatorForWaves;
    this.#random = seededRandom(config.seed);
    this.#order = { targets, tasks: scenarios.flatMap((scenario) => tasksOf(scenario, config)) };
  }

  /** How many rounds there are so far. */
  get rounds(): number {
    return this.#round;
  }

  /** The first rounds, which every run has. */
  firstRounds(): Trial[] {
    return Array.from({ length: this.#config.rounds }, () => this.nextRound()).flat();
  }

  /** One more round, of the cells that are wanted. */
  nextRound(isWanted: (key: CellKey) => boolean = () => true): Trial[] {
    const { targets, tasks } = this.#order;
    this.#order = ++this.#round % 2 === 1
      ? { targets: shuffle(targets, this.#random), tasks: shuffle(tasks, this.#random) }
      : { targets: targets.toReversed(), tasks: tasks.toReversed() };
    return this.#order.targets.flatMap((target) =>
      this.#order.tasks
        .filter((task) => task.scenario.id in target.scenarios && isWanted(keyOf(target, task)))
        .map((task) => this.#trial(target, task, this.#config.shards, "measure"))
    );
  }

  /** The scale test of one cell: shards as in the run and twice as many, in turn, on one server. */
  scaleTest(wanted: CellKey): Trial[] {
    const target = this.#order.targets.find(({ id }) => id === wanted.target) as Server;
    const task = this.#order.tasks.find(({ scenario, load }) =>
      scenario.id === wanted.scenario && load.connections === wanted.connections
    ) as Task;
    this.#round++;
    const { shards } = this.#config;
    return Array.from({ length: SCALE_PAIRS }, (_, i) => i % 2 === 0 ? [1, 2] : [2, 1]).flat()
      .map((times) => this.#trial(target, task, times * shards, "scale"));
  }

  #trial(
    target: Server,
    { scenario, load }: Task,
    shards: number,
    purpose: Trial["purpose"],
  ): Trial {
    return {
      index: this.#trials++,
      purpose,
      round: this.#round,
      target: target.id,
      scenario: scenario.id,
      generator: this.#generatorOf?.get(target.id) ??
        (scenario.cycle === null ? null : this.#generatorForWaves) ?? this.#config.generator,
      load: { ...load, shards, warmupS: this.#config.warmupS ?? longest(load, target) },
    };
  }
}

/** Server and scenario may each need more of a warm-up than usual. */
function longest({ warmupS }: Load, target: Server): number {
  return Math.max(warmupS, target.warmupS ?? 0);
}

function keyOf(target: Server, { scenario, load }: Task): CellKey {
  return { target: target.id, scenario: scenario.id, connections: load.connections };
}

/** A scenario under each number of connections. */
function tasksOf(scenario: Scenario, config: RunConfig): Task[] {
  return loadsOf(scenario, config).map((load) => ({ scenario, load }));
}

/** How a scenario is loaded: as it needs to be, unless the person asked for something else. */
export function loadsOf(scenario: Scenario, config: RunConfig): Load[] {
  const own = [scenario.connections ?? config.defaultConnections];
  return (config.connections ?? own).map((connections) => loadOf(scenario, config, connections));
}

function loadOf(scenario: Scenario, config: RunConfig, connections: number): Load {
  const { cycle } = scenario;
  const cycles = cycle === null ? 0 : Math.ceil(config.durationS / cycle.waitS);
  return {
    connections,
    shards: config.shards,
    warmupS: config.warmupS ?? scenario.warmupS ?? config.defaultWarmupS,
    durationS: cycle === null ? config.durationS : cycles * cycle.waitS,
    answers: config.requests ?? (cycle === null ? null : cycles * cycle.every * connections),
    timeoutS: config.timeoutS,
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
