import { UsageError } from "../src/model/errors.ts";
import type { Scenario } from "../src/model/scenario.ts";
import { USUAL } from "./usual.ts";

/** A scenario of a mix and its weight, in any unit. */
export interface WeightedScenario {
  readonly scenario: Scenario;
  readonly weight: number;
}

/**
 * Returns a scenario that sends the requests of several others in turn over the same connections, in
 * proportion to their weights.
 *
 * @param components at least two, each with a weight above 0
 * @throws {UsageError} if they cannot be mixed.
 */
export function mixScenarios(components: readonly WeightedScenario[]): Scenario {
  const [first] = components;
  if (first === undefined || components.length < 2) {
    throw new UsageError("Cannot mix fewer than two scenarios");
  }
  const sum = components.reduce((total, { weight }) => total + weight, 0);
  const shareOf = ({ weight }: WeightedScenario): number => weight / sum;
  const total = (value: (scenario: Scenario) => number): number =>
    components.reduce((all, component) => all + shareOf(component) * value(component.scenario), 0);
  for (const { scenario, weight } of components) {
    if (!(weight > 0)) throw new UsageError(`Cannot mix ${scenario.id}: its weight is ${weight}`);
    const why = unmixable(scenario);
    if (why !== null) throw new UsageError(`Cannot mix ${scenario.id} with others: ${why}`);
  }
  const percent = (component: WeightedScenario): string =>
    `${Number((100 * shareOf(component)).toPrecision(3))}`;
  return {
    ...USUAL,
    id: `mix-${
      components.map((component) => `${component.scenario.id}${percent(component)}`).join("-")
    }`,
    title: components.map((component) => `${percent(component)} % ${component.scenario.id}`).join(
      ", ",
    ),
    request: first.scenario.request,
    queries: total(({ queries }) => queries),
    moreQueries: total(({ moreQueries }) => moreQueries),
    writes: total(({ writes }) => writes),
    readsAhead: components.some(({ scenario }) => scenario.readsAhead),
    checks: components.flatMap(({ scenario }) =>
      scenario.checks.map((check) => ({ ...check, name: `${scenario.id}: ${check.name}` }))
    ),
    // Each response under load is checked by its own scenario
    underLoad: "any",
    expect: first.scenario.expect,
    warmupS: Math.max(...components.map(({ scenario }) => scenario.warmupS ?? 0)) || null,
    mix: components,
  };
}

function unmixable({ protocol, pipelined, cycle, mix, beside }: Scenario): string | null {
  if (protocol !== "http") return "it sends messages over WebSockets";
  if (pipelined > 1) return "it sends several requests at once";
  if (cycle !== null) return "its responses come in waves";
  return mix === undefined && beside === undefined
    ? null
    : "it consists of several scenarios itself";
}
