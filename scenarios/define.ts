/**
 * What a scenario file of yours needs (docs/adding_a_scenario.md).
 *
 * @module
 */
import type { Scenario } from "../src/model/scenario.ts";
import { check } from "./expect.ts";

export {
  check,
  expectEqual,
  expectHead,
  expectSuccess,
  expectText,
  get,
  json,
  post,
} from "./expect.ts";
export { Mismatch } from "../src/model/errors.ts";
export type { Check, Facts, HttpAnswer, HttpRequest, Scenario } from "../src/model/scenario.ts";

/** What a scenario has to say; the rest has a default. */
export type ScenarioDefinition =
  & Pick<Scenario, "id" | "request" | "expect">
  & Partial<Scenario>;

/**
 * A scenario: by default its one check sends the request and `expect`s the answer, every body under
 * load has to be the one that was verified, and no database takes part.
 */
export function defineScenario(definition: ScenarioDefinition): Scenario {
  const { id, request, expect } = definition;
  return {
    title: `${request.method} ${request.path}`,
    queries: 0,
    checks: [check(`answers ${id}`, request, expect)],
    underLoad: "same",
    connections: null,
    warmupS: null,
    cycle: null,
    isDefault: true,
    ...definition,
  };
}
