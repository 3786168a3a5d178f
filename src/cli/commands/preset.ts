import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { fileURLToPath } from "node:url";
import schema from "../../../docs/preset.schema.json" with { type: "json" };
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { Failure, UsageError } from "../../model/errors.ts";
import type { Report } from "../../model/report.ts";
import { findGenerator } from "../../load/find.ts";
import type { HttpRequest, Scenario } from "../../model/scenario.ts";
import type { Server } from "../../model/server.ts";
import { estimateS, Planner } from "../../experiment/plan.ts";
import { type Preset, type PresetRow, type PresetTable, unknownRows } from "../../model/preset.ts";
import { describePlan } from "../../view/plan.ts";
import { describePreset, presetMarkdown, ratiosOfTables } from "../../view/tables/preset.ts";
import { conditions } from "../../view/remarks.ts";
import { claimPath, writeWhole } from "../../results/store.ts";
import { readCatalog } from "../../target/catalog.ts";
import { fromCaller } from "../../experiment/choose.ts";
import { isFine } from "../finish.ts";
import { measure, type Outcome } from "../../engine/run.ts";
import { type Order, readOrder, type RunOptions } from "../../experiment/order.ts";
import { appendSummary, type OutputOptions } from "../outputs.ts";
import { complain, say } from "../print.ts";
import { screenOf } from "../screen.ts";

const PRESETS = new URL("../../../presets/", import.meta.url);
/** What drives the same load where the published tool is not installed. */
const STAND_IN = "autocannon";
/** How long a number of requests may take, for the plan alone. */
const GUESS_S = 10;
const isPreset = new Ajv2020({ useDefaults: true, allErrors: true }).compile(schema);

/** The ids of the presets that come along. */
export async function presetIds(): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(PRESETS));
  return entries.map(({ name }) => name.replace(/\.json$/, "")).sort();
}

/**
 * Reads a preset by its id, or from a file.
 *
 * @throws {UsageError} if there is none, or what is wrong in it.
 */
export async function readPreset(name: string): Promise<Preset> {
  const isId = /^[a-z][a-z0-9-]*$/.test(name);
  const path = isId ? fileURLToPath(new URL(`${name}.json`, PRESETS)) : fromCaller(name);
  let preset: unknown;
  try {
    preset = JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    const known = (await presetIds()).join(", ");
    throw new UsageError(
      isId
        ? `There is no preset "${name}": choose from ${known}, or give the path of a file`
        : `Cannot read the preset ${path}: ${(error as Error).message}`,
    );
  }
  if (isPreset(preset)) {
    const unknown = unknownRows(preset as unknown as Preset);
    if (unknown.length === 0) return preset as unknown as Preset;
    throw new UsageError(
      `Cannot use the preset ${path}: a ratio names a row that is not there: ${unknown.join(", ")}`,
    );
  }
  const errors = (isPreset.errors ?? []).map(({ instancePath, message }: ErrorObject) =>
    `${instancePath || "it"} ${message}`
  );
  throw new UsageError(`Cannot use the preset ${path}: ${errors.join("; ")}`);
}

type PresetOptions = RunOptions & OutputOptions;

/** What a preset says itself, and a person cannot say beside it. */
const OVERRIDDEN = [
  "connections",
  "warmup",
  "rounds",
  "maxRounds",
  "generator",
  "dbPool",
  "servers",
  "server",
  "scenario",
  "out",
  "json",
  "explain",
  "request",
  "header",
  "data",
  "pid",
  "html",
  "csv",
] as const satisfies readonly (keyof PresetOptions)[];

/**
 * `run --preset`: measures published work again, table by table, and prints it beside what was
 * published. A table that cannot be measured is a line, and the next one follows.
 *
 * @throws {UsageError} for a preset that there is not, or that names what there is not, and for options
 * that mean nothing beside it.
 */
export async function runPreset(
  name: string,
  scenarioIds: readonly string[],
  options: PresetOptions,
): Promise<number> {
  if (scenarioIds.length > 0) {
    throw new UsageError("A preset says what is measured: name no scenarios beside it");
  }
  const given = OVERRIDDEN.find((option) => options[option] !== undefined && !!options[option]);
  if (given !== undefined) {
    throw new UsageError(`A preset says what is measured, and how: leave out "${given}"`);
  }
  const preset = await readPreset(name);
  const catalog = await readCatalog();
  const orders = await Promise.all(
    preset.tables.map((table) => orderOf(table, catalog, options)),
  );
  say(`${preset.title}\n${preset.source}`);
  const { markdown } = options;
  const page = markdown === undefined ? null : await claimPath(fromCaller(markdown));
  const reports: (Report | null)[] = [];
  for (const [i, order] of orders.entries()) {
    const table = preset.tables[i] as PresetTable;
    if (options.dryRun) {
      showPlan(table, order);
      continue;
    }
    reports.push(await measureTable(table, order, options));
    if (page !== null) await writeWhole(page, presetMarkdown(preset, reports));
  }
  if (!options.dryRun) await appendSummary(presetMarkdown(preset, reports));
  const ratios = options.dryRun ? [] : ratiosOfTables(preset, reports);
  if (ratios.length > 0) say(["", ...ratios].join("\n"));
  return reports.every((report) => report !== null && isFine(report)) ? 0 : 1;
}

function showPlan({ title }: PresetTable, { config, targets, scenarios }: Order): void {
  const trials = new Planner(config, targets, scenarios).firstRounds();
  say(`\n${title}\n${describePlan(config, trials, estimateS(trials))}`);
}

/** Measures one table and prints it; null if there was nobody to measure. */
async function measureTable(
  table: PresetTable,
  order: Order,
  options: RunOptions,
): Promise<Report | null> {
  let outcome: Outcome;
  try {
    outcome = await measure(order, options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    complain(`${table.title}: ${error.message}`);
    return null;
  }
  const { report, path, stopped } = outcome;
  if (report !== null) {
    for (const line of describePreset(table, report, screenOf())) say(line);
    for (const line of conditions(report)) say(line);
    say(`The report is in ${path}`);
  }
  if (stopped !== null) throw stopped;
  return report;
}

/** One table as an order: its rows stand for servers. */
async function orderOf(
  table: PresetTable,
  catalog: ReadonlyMap<string, Server>,
  options: RunOptions,
): Promise<Order> {
  const scenario = SCENARIOS.find(({ id }) => id === table.scenario);
  if (scenario === undefined) throw new UsageError(`There is no scenario "${table.scenario}"`);
  const order = await readOrder([scenario.id], {
    ...options,
    rounds: table.runs,
    maxRounds: table.runs,
    warmup: 0,
    workers: 1,
    shards: 1,
    connections: [table.connections],
    duration: table.seconds ?? GUESS_S,
    ...(table.dbPool !== null && { dbPool: table.dbPool }),
  });
  const closed = closing(scenario);
  const targets = table.rows.map((row) => targetOf(row, scenario, closed, catalog));
  const { requests, timeoutS } = table;
  const isHere = "path" in await findGenerator(table.tool);
  return {
    ...order,
    targets,
    scenarios: [scenario, closed],
    config: {
      ...order.config,
      requests,
      timeoutS,
      targets: targets.map(({ id }) => id),
      scenarios: [scenario.id, closed.id],
      generator: isHere ? table.tool : STAND_IN,
    },
  };
}

/** The same scenario with a connection of its own for each request. */
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
      run: (ask, facts) => run((request) => ask(close(request)), facts),
    })),
  };
}

/** The server that stands for a published system, started as that was. */
function targetOf(
  row: PresetRow,
  open: Scenario,
  closed: Scenario,
  catalog: ReadonlyMap<string, Server>,
): Server {
  const target = catalog.get(row.server);
  if (target === undefined) throw new UsageError(`There is no server "${row.server}"`);
  const { closes, env, id, name } = row;
  return {
    ...target,
    id,
    name,
    basedOn: null,
    settings: env,
    scenarios: open.id in target.scenarios ? { [(closes ? closed : open).id]: {} } : {},
    // Where each request has a connection of its own, the others wait before the server.
    maxConnections: closes ? null : target.maxConnections,
  };
}
