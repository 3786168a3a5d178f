/**
 * The functions and types for your own scenario files (docs/adding_a_scenario.md).
 *
 * @module
 */
import { messageOf, Mismatch } from "../src/model/errors.ts";
import type { Facts, HttpRequest, HttpResponse, Scenario } from "../src/model/scenario.ts";
import { check, checkTwice } from "./expect.ts";
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

/**
 * The fields of a scenario: `id`, `expect` and `request.path` are required, all others have defaults.
 */
export type ScenarioDefinition =
  & Pick<Scenario, "id" | "expect">
  & { readonly request: Pick<HttpRequest, "path"> & Partial<HttpRequest> }
  & Partial<Omit<Scenario, "request">>;

/**
 * Returns a scenario with defaults. Its request is a GET without headers. By default, one check sends that
 * request and calls `expect`, and every body under load must equal the verified one. If `underLoad` is
 * `stable`, a second check repeats the first one a second later. The scenario uses no database.
 */
export function defineScenario(definition: ScenarioDefinition): Scenario {
  const { expect, underLoad } = definition;
  const request: HttpRequest = { method: "GET", headers: {}, body: null, ...definition.request };
  const judge = async (response: HttpResponse, facts: Facts): Promise<void> => {
    try {
      await expect(response, facts);
    } catch (error) {
      // Any error of the user's function means that the response is wrong
      throw error instanceof Mismatch
        ? error
        : new Mismatch("a correct response", messageOf(error));
    }
  };
  return {
    ...USUAL,
    title: `${request.method} ${request.path}`,
    checks: underLoad === "stable"
      ? checkTwice("returns the expected response", request, judge)
      : [check("returns the expected response", request, judge)],
    ...definition,
    request,
  };
}
