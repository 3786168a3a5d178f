/** Presets: published benchmarks as data, and the experiments that repeat them. */
import { fileURLToPath } from "node:url";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { PRESET_SCHEMA } from "../model/documents.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import { readInputFile } from "../model/input_file.ts";
import { type Preset, type PresetTable, tableOf } from "../model/preset.ts";
import type { HttpRequest, Scenario } from "../model/scenario.ts";
import { describeProblems, validatorOf } from "../model/schema.ts";
import type { Server } from "../model/server.ts";
import { oneLine } from "../model/text.ts";
import { compose, type VariantSpec, WINDOWS } from "./compose.ts";
import type { Draft } from "./options.ts";
import type { Resolve } from "./url_target.ts";

const PRESETS = new URL("../../presets/", import.meta.url);
const problemsOf = validatorOf(PRESET_SCHEMA, { useDefaults: true, allErrors: true });

/** Returns the ids of the presets that Stampede contains. */
export async function presetIds(): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(PRESETS));
  return entries.map(({ name }) => name.replace(/\.json$/, "")).sort();
}

/** Reads a preset by its id, or by the path of a file; throws a `UsageError` if it is invalid. */
export async function readPreset(name: string, resolve: Resolve = String): Promise<Preset> {
  const isId = /^[a-z][a-z0-9-]*$/.test(name);
  const path = isId ? fileURLToPath(new URL(`${name}.json`, PRESETS)) : resolve(name);
  let content: unknown;
  try {
    content = JSON.parse(await readInputFile(path, "preset"));
  } catch (error) {
    const known = (await presetIds()).join(", ");
    throw new UsageError(
      isId
        ? `There is no preset "${name}": choose from ${known}, or give the path of a file`
        : `Cannot read the preset ${path}: ${oneLine(messageOf(error))}`,
    );
  }
  const unusable = (problem: string): UsageError =>
    new UsageError(`Cannot use the preset ${path}: ${problem}`);
  const problems = problemsOf(content);
  if (problems.length > 0) throw unusable(describeProblems(problems));
  const preset = content as Preset;
  if ((preset.tables.length === 0) === (preset.scenarios.length === 0)) {
    throw unusable("it needs either scenarios or tables");
  }
  const unknown = [
    ...preset.tables.flatMap(({ title, rows, ratios }) =>
      ratios.flatMap(({ a, b }) => [a, b]).filter((row) => !rows.some(({ id }) => id === row))
        .map((row) => `"${row}" in the table "${title}"`)
    ),
    ...preset.ratios.flatMap(({ a, b }) => [a, b]).filter((row) => tableOf(preset, row) < 0)
      .map(({ scenario, row }) => `"${row}" in a table of ${scenario}`),
  ];
  if (unknown.length > 0) throw unusable(`a ratio names a missing row: ${unknown.join(", ")}`);
  return preset;
}

/** Assumed duration of a load of a number of requests, in seconds. Only the plan uses it. */
const ASSUMED_S = 10;

/**
 * Makes an experiment for one table of a preset. Each row becomes a variant: a server with the row's
 * settings, under the published load. The generator is the published tool, or its replacement.
 */
export function presetExperiment(
  table: PresetTable,
  catalog: ReadonlyMap<string, Server>,
  draft: Draft,
  generator: string,
): Experiment {
  const open = SCENARIOS.find(({ id }) => id === table.scenario);
  if (open === undefined) throw new UsageError(`There is no scenario "${table.scenario}"`);
  const closed = closing(open);
  const variantSpecs = table.rows.map(({ id, name, server, closes, env }): VariantSpec => {
    const own = catalog.get(server);
    if (own === undefined) throw new UsageError(`There is no server "${server}"`);
    const scenarios = open.id in own.scenarios ? { [(closes ? closed : open).id]: {} } : {};
    // With a connection for each request, excess connections wait in front of the server.
    const maxConnections = closes ? null : own.maxConnections;
    return {
      id,
      label: name,
      env,
      server: { ...own, name, basedOn: null, scenarios, maxConnections },
    };
  });
  const { connections, seconds, requests, timeoutS, runs, dbPool } = table;
  const durationS = seconds ?? ASSUMED_S;
  const load = { connections: [connections], shards: 1, durationS, warmupS: 0, requests, timeoutS };
  const asked: Draft = {
    ...draft,
    scenarios: [
      ...table.rows.some(({ closes }) => !closes) ? [open] : [],
      ...table.rows.some(({ closes }) => closes) ? [closed] : [],
    ],
    load: { ...draft.load, ...load },
    design: { ...draft.design, rounds: runs, maxRounds: runs },
    generator,
    env: { ...draft.env, ...(dbPool !== null && { DB_POOL: String(dbPool) }), WORKERS: "1" },
  };
  return compose("preset", asked, variantSpecs, WINDOWS);
}

function closing(scenario: Scenario): Scenario {
  const close = (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: { ...request.headers, connection: "close" },
  });
  return {
    ...scenario,
    id: `${scenario.id}-closing`,
    request: close(scenario.request),
    checks: scenario.checks.map(({ name, run }) => ({
      name,
      run: (ask, facts, origin, client) =>
        run((request) => ask(close(request)), facts, origin, client),
    })),
  };
}
