import { pathToFileURL } from "node:url";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import type { Scenario } from "../model/scenario.ts";
import { fromCaller } from "./choose.ts";

/** What a scenario has, and of which kind it is: what its types say, for a file that nobody checked. */
const PARTS: Readonly<Record<keyof Scenario, (value: unknown) => boolean>> = {
  id: (value) => typeof value === "string" && /^[\w./-]+$/.test(value),
  title: (value) => typeof value === "string",
  request: (value) => isObject(value) && "method" in value && "path" in value && "headers" in value,
  queries: (value) => Number.isInteger(value),
  checks: (value) => Array.isArray(value) && value.length > 0,
  underLoad: (value) =>
    ["same", "any", "stable"].includes(value as string) || value instanceof RegExp,
  expect: (value) => typeof value === "function",
  connections: (value) => value === null || Number.isInteger(value),
  warmupS: (value) => value === null || typeof value === "number",
  cycle: (value) => value === null || isObject(value),
  isDefault: (value) => typeof value === "boolean",
};

/**
 * Loads a scenario from a module of the person's, whose default export it is.
 *
 * @throws {UsageError} if it cannot be loaded, or is no scenario.
 */
export async function readScenario(path: string): Promise<Scenario> {
  const url = pathToFileURL(fromCaller(path)).href;
  let exported: unknown;
  try {
    exported = (await import(url)).default;
  } catch (error) {
    throw new UsageError(`Cannot load the scenario ${path}: ${messageOf(error)}`);
  }
  if (!isObject(exported)) {
    throw new UsageError(
      `Cannot use the scenario ${path}: it has no default export (see docs/adding_a_scenario.md)`,
    );
  }
  const unknown = Object.keys(exported).find((name) => !(name in PARTS));
  if (unknown !== undefined) {
    throw new UsageError(`Cannot use the scenario ${path}: it has an unknown "${unknown}"`);
  }
  if (SCENARIOS.some(({ id }) => id === exported.id)) {
    throw new UsageError(
      `Cannot use the scenario ${path}: the suite has a "${exported.id}" already`,
    );
  }
  const wrong = Object.entries(PARTS).find(([name, isRight]) => !isRight(exported[name]));
  if (wrong !== undefined) {
    throw new UsageError(
      `Cannot use the scenario ${path}: its "${
        wrong[0]
      }" is missing, empty or of another kind (see docs/adding_a_scenario.md)`,
    );
  }
  return exported as unknown as Scenario;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
