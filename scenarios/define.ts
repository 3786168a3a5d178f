/**
 * What a scenario file of yours needs (docs/adding_a_scenario.md).
 *
 * @module
 */
import { messageOf, Mismatch } from "../src/model/errors.ts";
import type { Facts, HttpRequest, HttpResponse, Scenario } from "../src/model/scenario.ts";
import { check } from "./expect.ts";
import { USUAL } from "./usual.ts";

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
export { mixScenarios, type WeightedScenario } from "./mix.ts";
export { Mismatch } from "../src/model/errors.ts";
export type { Check, Facts, HttpRequest, HttpResponse, Scenario } from "../src/model/scenario.ts";

/** What a scenario has to say; the rest has a default. */
export type ScenarioDefinition =
  & Pick<Scenario, "id" | "expect">
  & { readonly request: Pick<HttpRequest, "path"> & Partial<HttpRequest> }
  & Partial<Omit<Scenario, "request">>;

/**
 * A scenario: by default its request is a GET without headers, its one check sends that and `expect`s the response,
 * every body under load has to be the one that was verified, and no database takes part.
 */
export function defineScenario(definition: ScenarioDefinition): Scenario {
  const { id, expect } = definition;
  const request: HttpRequest = { method: "GET", headers: {}, body: null, ...definition.request };
  const judge = async (response: HttpResponse, facts: Facts): Promise<void> => {
    try {
      await expect(response, facts);
    } catch (error) {
      // Any error of the person's own says that the response is wrong
      throw error instanceof Mismatch ? error : new Mismatch("a right response", messageOf(error));
    }
  };
  return {
    ...USUAL,
    title: `${request.method} ${request.path}`,
    checks: [check(`answers ${id}`, request, judge)],
    ...definition,
    request,
  };
}
