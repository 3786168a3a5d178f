import { UsageError } from "../src/model/errors.ts";
import type { Scenario } from "../src/model/scenario.ts";
import { USUAL } from "./usual.ts";

/** A scenario of a mix and its weight. The shares of requests are proportional to the weights. */
export interface WeightedScenario {
  readonly scenario: Scenario;
  readonly weight: number;
}

/**
 * Returns a scenario that sends the requests of several scenarios in turn over the same connections,
 * in proportion to their weights.
 *
 * @param parts at least two, each with a weight above 0
 * @throws {UsageError} if they cannot be mixed.
 */
export function mixScenarios(parts: readonly WeightedScenario[]): Scenario {
  const [first] = parts;
  if (first === undefined || parts.length < 2) {
    throw new UsageError("Cannot mix fewer than two scenarios");
  }
  const sum = parts.reduce((total, { weight }) => total + weight, 0);
  const shareOf = ({ weight }: WeightedScenario): number => weight / sum;
  const total = (value: (scenario: Scenario) => number): number =>
    parts.reduce((all, part) => all + shareOf(part) * value(part.scenario), 0);
  for (const { scenario, weight } of parts) {
    if (!(weight > 0)) throw new UsageError(`Cannot mix ${scenario.id}: its weight is ${weight}`);
    const why = unmixable(scenario);
    if (why !== null) throw new UsageError(`Cannot mix ${scenario.id} with others: ${why}`);
  }
  const percent = (part: WeightedScenario): string =>
    `${Number((100 * shareOf(part)).toPrecision(3))}`;
  return {
    ...USUAL,
    id: `mix-${parts.map((part) => `${part.scenario.id}${percent(part)}`).join("-")}`,
    title: parts.map((part) => `${percent(part)} % ${part.scenario.id}`).join(", "),
    request: first.scenario.request,
    queries: total(({ queries }) => queries),
    moreQueries: total(({ moreQueries }) => moreQueries),
    writes: total(({ writes }) => writes),
    readsAhead: parts.some(({ scenario }) => scenario.readsAhead),
    checks: parts.flatMap(({ scenario }) =>
      scenario.checks.map((check) => ({ ...check, name: `${scenario.id}: ${check.name}` }))
    ),
    // Each response under load is checked by its own scenario
    underLoad: "any",
    expect: first.scenario.expect,
    warmupS: Math.max(...parts.map(({ scenario }) => scenario.warmupS ?? 0)) || null,
    mix: parts,
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
