import { pathToFileURL } from "node:url";
import { defineScenario, type ScenarioDefinition } from "../../scenarios/define.ts";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { inTime } from "../model/in_time.ts";
import { type Scenario, ScenarioData, scenarioData } from "../model/scenario.ts";
import { document } from "../model/schema.ts";
import { oneLine } from "../model/text.ts";
import { validatorOf } from "../model/validator.ts";

const problemsOf = validatorOf(
  document(ScenarioData, "Scenario", "What of a scenario is data."),
  { allErrors: true },
);

/** How long a module may take to load, with all that it imports. */
const TIMEOUT_MS = 30_000;

/** What of a scenario is no data, and whether it is of the right kind. */
const PARTS: Readonly<
  Record<Exclude<keyof Scenario, keyof typeof scenarioData>, (value: unknown) => boolean>
> = {
  checks: (value) => Array.isArray(value) && value.length > 0,
  underLoad: (value) =>
    ["same", "any", "stable"].includes(value as string) || value instanceof RegExp,
  // Under load nobody waits for what it says
  expect: (value) => typeof value === "function" && value.constructor.name !== "AsyncFunction",
  mix: (value) => value === undefined || Array.isArray(value), // mixScenarios makes it
  beside: (value) => value === undefined, // it is Stampede's own way to measure isolation
};

/** The first property that is missing, or of another kind than in a scenario. */
function firstWrong(exported: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(scenarioData);
  const problems = problemsOf(Object.fromEntries(names.map((name) => [name, exported[name]])));
  if (problems.length > 0) {
    const wrong = problems.map(({ instancePath, params }) =>
      instancePath.split("/")[1] ?? params.missingProperty
    );
    return names.find((name) => wrong.includes(name));
  }
  return Object.entries(PARTS).find(([name, isRight]) => !isRight(exported[name]))?.[0];
}

/**
 * Loads a scenario from a module of the person's, whose default export it is.
 *
 * @param timeoutMs how long that may take
 * @throws {UsageError} naming the file, if it cannot be loaded, ends the process, or is no scenario.
 */
export async function readScenario(path: string, timeoutMs = TIMEOUT_MS): Promise<Scenario> {
  try {
    await readInputFile(path, "scenario"); // what is imported is read without a limit
  } catch (error) {
    throw unloadable(path, error);
  }
  await rehearse(path, timeoutMs);
  return await importScenario(path);
}

/**
 * Loads a scenario in a worker first: a worker can be terminated even if the module loops forever.
 *
 * @throws {UsageError} if the module fails, or takes too long.
 */
async function rehearse(path: string, timeoutMs: number): Promise<void> {
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
}

/** Loads a scenario in this thread; throws as {@linkcode readScenario} does. */
export async function importScenario(path: string): Promise<Scenario> {
  forbidExit();
  let exported: unknown;
  try {
    exported = (await import(pathToFileURL(path).href)).default;
  } catch (error) {
    throw unloadable(path, error);
  }
  return scenarioOf(path, exported);
}

/** Makes the exit function throw, so that a scenario cannot end the process. `bench.ts` keeps the real one. */
function forbidExit(): void {
  Object.assign(Deno, {
    exit: () => {
      throw new Error("it ends the process, which a scenario must not");
    },
  });
}

/**
 * Returns the error for a scenario that cannot be loaded.
 *
 * @param problem the error that was thrown, or a message
 */
export function unloadable(path: string, problem: unknown): UsageError {
  return new UsageError(`Cannot load the scenario ${path}: ${oneLine(messageOf(problem))}`);
}

/**
 * The scenario that a module has exported.
 *
 * @throws {UsageError} naming the file and the first property that is wrong, if it is none.
 */
export function scenarioOf(path: string, exported: unknown): Scenario {
  try {
    return checked(path, exported);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `Cannot use the scenario ${path}: it cannot be read: ${oneLine(messageOf(error))}`,
    );
  }
}

function checked(path: string, exported: unknown): Scenario {
  if (!isObject(exported)) {
    throw new UsageError(
      `Cannot use the scenario ${path}: it has no default export (see docs/adding_a_scenario.md)`,
    );
  }
  const scenario: Record<string, unknown> = {
    ...(isDefinition(exported) ? defineScenario(exported) : exported),
  };
  const unknown = Object.keys(exported).find((name) => !(name in PARTS || name in scenarioData));
  if (unknown !== undefined) {
    throw new UsageError(`Cannot use the scenario ${path}: it has an unknown "${unknown}"`);
  }
  if (SCENARIOS.some(({ id }) => id === exported.id)) {
    throw new UsageError(
      `Cannot use the scenario ${path}: the suite has a "${exported.id}" already`,
    );
  }
  const wrong = firstWrong(scenario);
  if (wrong !== undefined) {
    throw new UsageError(
      `Cannot use the scenario ${path}: its "${wrong}" is missing, empty or of another kind (see docs/adding_a_scenario.md)`,
    );
  }
  // Copy the validated data: a getter may return another value the next time
  const names = Object.keys(scenarioData).filter((name) => name in scenario);
  const data = names.map((name) => [name, structuredClone(scenario[name])]);
  return { ...scenario, ...Object.fromEntries(data) } as unknown as Scenario;
}

/** Whether a plain object says enough to be a scenario with the defaults of `defineScenario`. */
function isDefinition(
  exported: Readonly<Record<string, unknown>>,
): exported is ScenarioDefinition & Readonly<Record<string, unknown>> {
  const { request, expect } = exported;
  return isObject(request) && typeof request.path === "string" && typeof expect === "function";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
