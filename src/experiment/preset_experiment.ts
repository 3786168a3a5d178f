import { SCENARIOS } from "../../scenarios/mod.ts";
import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import type { PresetRow, PresetTable } from "../model/preset.ts";
import type { HttpRequest, Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { compose, type VariantSpec } from "./compose.ts";
import { type ExperimentOptions, loadPlanOf, WINDOWS } from "./options.ts";

/** Assumed duration of a load that ends after a number of requests, in seconds. Only the plan uses it. */
const ASSUMED_S = 10;

/**
 * Makes an experiment for one table of a preset. Each row becomes a variant: a server with the row's
 * settings, under the published load.
 *
 * @param catalog the suite's servers by id
 * @param generator id of the published tool, or of its replacement if it is not installed
 * @throws {UsageError} for an unknown scenario or server.
 */
export function presetExperiment(
  table: PresetTable,
  catalog: ReadonlyMap<string, Server>,
  options: ExperimentOptions,
  generator: string,
): Experiment {
  const open = SCENARIOS.find(({ id }) => id === table.scenario);
  if (open === undefined) throw new UsageError(`There is no scenario "${table.scenario}"`);
  const closed = closing(open);
  const variantSpecs = table.rows.map((row) => variantSpecOf(row, open, closed, catalog));
  const asked: ExperimentOptions = {
    ...options,
    rounds: table.runs,
    maxRounds: table.runs,
    warmup: 0,
    workers: 1,
    shards: 1,
    connections: [table.connections],
    duration: table.seconds ?? ASSUMED_S,
    generator,
    ...(table.dbPool !== null && { dbPool: table.dbPool }),
  };
  const { requests, timeoutS } = table;
  const load = { ...loadPlanOf(asked), requests, timeoutS };
  return compose("preset", { variantSpecs, scenarios: [open, closed] }, asked, WINDOWS, load);
}

/** Returns a copy of the scenario in which each request uses a new connection. */
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

/** Returns the server that represents a published system, with that system's settings. */
function variantSpecOf(
  { id, name, server, closes, env }: PresetRow,
  open: Scenario,
  closed: Scenario,
  catalog: ReadonlyMap<string, Server>,
): VariantSpec {
  const own = catalog.get(server);
  if (own === undefined) throw new UsageError(`There is no server "${server}"`);
  const scenario = closes ? closed : open;
  return {
    id,
    label: name,
    env,
    server: {
      ...own,
      name,
      basedOn: null,
      scenarios: open.id in own.scenarios ? { [scenario.id]: {} } : {},
      // With a connection for each request, excess connections wait in front of the server.
      maxConnections: closes ? null : own.maxConnections,
    },
  };
}
