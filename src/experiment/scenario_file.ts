/** Loads the scenarios in users' files. */
import { pathToFileURL } from "node:url";
import { defineScenario, type ScenarioDefinition } from "../../scenarios/define.ts";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { inTime } from "../model/in_time.ts";
import type { Scenario, ScenarioData } from "../model/scenario.ts";
import { SCENARIO } from "../model/scenario_schema.ts";
import { document, validatorOf } from "../model/schema.ts";
import { oneLine } from "../model/text.ts";

const DATA = document(SCENARIO, "Scenario", "The serialisable properties of a scenario.");
const NAMES = Object.keys(DATA.properties as object);
const problemsOf = validatorOf(DATA, { allErrors: true });

/** Time limit for loading a module and its imports, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Returns whether the properties that cannot be stored as JSON have the right type. */
const OTHER_PROPERTIES: Readonly<
  Record<Exclude<keyof Scenario, keyof ScenarioData>, (value: unknown) => boolean>
> = {
  checks: (value) => Array.isArray(value) && value.length > 0,
  underLoad: (value) =>
    ["same", "any", "stable"].includes(value as string) || value instanceof RegExp,
  // A promise would not be awaited under load
  expect: (value) => typeof value === "function" && value.constructor.name !== "AsyncFunction",
  mix: (value) => value === undefined || Array.isArray(value), // mixScenarios makes it
  beside: (value) => value === undefined, // only Stampede's own scenarios may have a side load
};

/** Loads a module's default export, a scenario; throws a `UsageError` that names the file. */
export async function readScenario(path: string, timeoutMs = TIMEOUT_MS): Promise<Scenario> {
  try {
    await readInputFile(path, "scenario"); // imported files have no size limit
  } catch (error) {
    throw unloadable(path, error);
  }
  // A worker can be terminated even if the module loops forever
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const worker = new Worker(new URL("./scenario_worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(unloadable(path, event.message));
  };
  worker.postMessage(path);
  try {
    const late = unloadable(path, `it has not finished loading after ${timeoutMs / 1000} s`);
    const problem = await inTime(promise, timeoutMs, late);
    if (problem !== null) throw new UsageError(problem);
  } finally {
    worker.terminate();
  }
  return await importScenario(path);
}

/** Loads a scenario in this thread; throws like {@linkcode readScenario}. */
export async function importScenario(path: string): Promise<Scenario> {
  // A scenario must not end the process; `bench.ts` keeps the original function.
  Object.assign(Deno, {
    exit: () => {
      throw new Error("it ends the process, which a scenario must not");
    },
  });
  let exported: unknown;
  try {
    exported = (await import(pathToFileURL(path).href)).default;
  } catch (error) {
    throw unloadable(path, error);
  }
  return scenarioOf(path, exported);
}

/** Returns the error for a scenario that cannot be loaded, by the thrown error or a message. */
export function unloadable(path: string, problem: unknown): UsageError {
  return new UsageError(`Cannot load the scenario ${path}: ${oneLine(messageOf(problem))}`);
}

/** Returns the scenario that a module exports; throws a `UsageError` with what is wrong. */
export function scenarioOf(path: string, exported: unknown): Scenario {
  const unusable = (problem: string): UsageError =>
    new UsageError(`Cannot use the scenario ${path}: ${problem}`);
  try {
    if (!isObject(exported)) {
      throw unusable("it has no default export (see docs/adding_a_scenario.md)");
    }
    const { request, expect } = exported;
    const isDefinition = isObject(request) && typeof request.path === "string" &&
      typeof expect === "function";
    const scenario: Record<string, unknown> = {
      ...(isDefinition ? defineScenario(exported as unknown as ScenarioDefinition) : exported),
    };
    const unknown = Object.keys(exported).find((name) =>
      !(name in OTHER_PROPERTIES || NAMES.includes(name))
    );
    if (unknown !== undefined) throw unusable(`it has an unknown "${unknown}"`);
    if (SCENARIOS.some(({ id }) => id === exported.id)) {
      throw unusable(`the suite already has a "${exported.id}"`);
    }
    const wrong = firstWrong(scenario);
    if (wrong !== undefined) {
      throw unusable(
        `its "${wrong}" is missing, empty or of another kind (see docs/adding_a_scenario.md)`,
      );
    }
    // Copy the validated data, because a getter may return another value the next time
    const names = NAMES.filter((name) => name in scenario);
    const data = names.map((name) => [name, structuredClone(scenario[name])]);
    return { ...scenario, ...Object.fromEntries(data) } as unknown as Scenario;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unusable(`it cannot be read: ${oneLine(messageOf(error))}`);
  }
}

function firstWrong(scenario: Readonly<Record<string, unknown>>): string | undefined {
  const problems = problemsOf(Object.fromEntries(NAMES.map((name) => [name, scenario[name]])));
  const wrong = problems.map(({ instancePath, params }) =>
    instancePath.split("/")[1] ?? params.missingProperty
  );
  const others = Object.entries(OTHER_PROPERTIES)
    .filter(([name, isRight]) => !isRight(scenario[name])).map(([name]) => name);
  return NAMES.find((name) => wrong.includes(name)) ?? others[0];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
