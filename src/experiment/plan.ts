import type { CellKey } from "../model/derived.ts";
import type { Arm, Design, Experiment, Load, LoadPlan, Trial } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
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

/** Says which load generator drives an arm at a scenario. */
export type GeneratorOf = (arm: Arm, scenario: Scenario) => string;

/**
 * Plans rounds one after the other: in each, every server is started once and measured at every
 * scenario that it implements, under each number of connections. The order of servers and of what they
 * do is shuffled for every other round, and reversed for the one after it, so that all that drifts
 * during a run meets all of them alike.
 */
export class Planner {
  readonly #load: LoadPlan;
  readonly #design: Design;
  readonly #random: () => number;
  readonly #generatorOf: GeneratorOf;
  #order: { arms: readonly Arm[]; tasks: readonly Task[] };
  #round = 0;
  #trials = 0;

  /** @param arms those that can be measured, by default all of them */
  constructor(
    { arms: all, scenarios, load, design }: Omit<Experiment, "kind">,
    arms: readonly Arm[] = all,
    generatorOf: GeneratorOf = ({ generator }) => generator,
  ) {
    this.#load = load;
    this.#design = design;
    this.#generatorOf = generatorOf;
    this.#random = seededRandom(design.seed);
    this.#order = { arms, tasks: scenarios.flatMap((scenario) => tasksOf(scenario, load)) };
  }

  /** How many rounds there are so far. */
  get rounds(): number {
    return this.#round;
  }

  /** The first rounds, which every run has. */
  firstRounds(): Trial[] {
    return Array.from({ length: this.#design.rounds }, () => this.nextRound()).flat();
  }

  /** One more round, of the cells that are wanted. */
  nextRound(isWanted: (key: CellKey) => boolean = () => true): Trial[] {
    const { arms, tasks } = this.#order;
    this.#order = ++this.#round % 2 === 1
      ? { arms: shuffle(arms, this.#random), tasks: shuffle(tasks, this.#random) }
      : { arms: arms.toReversed(), tasks: tasks.toReversed() };
    return this.#order.arms.flatMap((arm) =>
      this.#order.tasks
        .filter((task) => task.scenario.id in arm.server.scenarios && isWanted(keyOf(arm, task)))
        .map((task) => this.#trial(arm, task, this.#load.shards, "measure"))
    );
  }

  /** The scale test of one cell: shards as in the run and twice as many, in turn, on one server. */
  scaleTest(wanted: CellKey): Trial[] {
    const arm = this.#order.arms.find(({ id }) => id === wanted.arm) as Arm;
    const task = this.#order.tasks.find(({ scenario, load }) =>
      scenario.id === wanted.scenario && load.connections === wanted.connections
    ) as Task;
    this.#round++;
    const { shards } = this.#load;
    return Array.from({ length: SCALE_PAIRS }, (_, i) => i % 2 === 0 ? [1, 2] : [2, 1]).flat()
      .map((times) => this.#trial(arm, task, times * shards, "scale"));
  }

  #trial(arm: Arm, { scenario, load }: Task, shards: number, purpose: Trial["purpose"]): Trial {
    return {
      index: this.#trials++,
      purpose,
      round: this.#round,
      arm: arm.id,
      scenario: scenario.id,
      generator: this.#generatorOf(arm, scenario),
      load: { ...load, shards, warmupS: this.#load.warmupS ?? longest(load, arm) },
    };
  }
}

/** Server and scenario may each need more of a warm-up than usual. */
function longest({ warmupS }: Load, { server }: Arm): number {
  return Math.max(warmupS, server.warmupS ?? 0);
}

function keyOf({ id }: Arm, { scenario, load }: Task): CellKey {
  return { arm: id, scenario: scenario.id, connections: load.connections };
}

/** A scenario under each number of connections. */
function tasksOf(scenario: Scenario, plan: LoadPlan): Task[] {
  return loadsOf(scenario, plan).map((load) => ({ scenario, load }));
}

/** How a scenario is loaded: as it needs to be, unless the person asked for something else. */
export function loadsOf(scenario: Scenario, plan: LoadPlan): Load[] {
  const own = [scenario.connections ?? plan.defaultConnections];
  return (plan.connections ?? own).map((connections) => loadOf(scenario, plan, connections));
}

function loadOf(scenario: Scenario, plan: LoadPlan, connections: number): Load {
  const { cycle } = scenario;
  const cycles = cycle === null ? 0 : Math.ceil(plan.durationS / cycle.waitS);
  return {
    connections,
    shards: plan.shards,
    warmupS: plan.warmupS ?? scenario.warmupS ?? plan.defaultWarmupS,
    durationS: cycle === null ? plan.durationS : cycles * cycle.waitS,
    answers: plan.requests ?? (cycle === null ? null : cycles * cycle.every * connections),
    timeoutS: plan.timeoutS,
  };
}

/** The most connections that any scenario of an experiment opens at once. */
export function mostConnections(
  { scenarios, load }: Pick<Experiment, "scenarios" | "load">,
): number {
  const loads = scenarios.flatMap((scenario) => loadsOf(scenario, load));
  return Math.max(...loads.map(({ connections }) => connections));
}

/** The seconds that added rounds may take, by how long the first ones do. */
export function budgetS(design: Design, firstTrials: readonly Trial[]): number {
  return design.budgetS ?? design.budgetShare * estimateS(firstTrials);
}

/** About how long these trials take, in seconds. */
export function estimateS(trials: readonly Trial[]): number {
  let total = 0;
  let server = "";
  for (const { round, arm, load } of trials) {
    if (server !== `${round} ${arm}`) total += ROUND_OVERHEAD_S;
    server = `${round} ${arm}`;
    // A wave of waiting answers has to come in before a window of whole cycles starts.
    const wave = load.answers === null ? 0 : 2;
    total += Math.max(load.warmupS, wave) + load.durationS + TRIAL_OVERHEAD_S;
  }
  return total;
}
