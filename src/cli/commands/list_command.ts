import { SCENARIOS } from "../../../scenarios/mod.ts";
import { FINE, messageOf, UsageError } from "../../model/errors.ts";
import type { MissingGenerator } from "../../load/generator_list.ts";
import type { Server } from "../../model/server.ts";
import { ProcessScope } from "../../process/scope.ts";
import { rate } from "../../view/format.ts";
import { createProgress } from "../../view/progress.ts";
import { hanging } from "../../view/table.ts";
import { readCatalog } from "../../target/catalog.ts";
import { Toolchain } from "../../target/toolchain.ts";
import {
  ceilingOf,
  findGenerators,
  isPresent,
  type PresentGenerator,
} from "../../engine/generator_pool.ts";
import type { Io } from "../io.ts";

/** Number of connections at which a ceiling is measured: the default of a run. */
const CONNECTIONS = 10;

/**
 * Runs `list`: prints scenarios, servers and load generators, with missing tools.
 *
 * @param what scenarios, servers or generators; empty for all. Naming generators also measures their ceilings.
 * @returns the exit code
 * @throws {UsageError} for another word
 */
export async function list(what: readonly string[], io: Io): Promise<number> {
  const unknown = what.find((word) => !KINDS.includes(word));
  if (unknown !== undefined) {
    throw new UsageError(`Cannot list "${unknown}": choose from ${KINDS.join(", ")}`);
  }
  const isWanted = (kind: string): boolean => what.length === 0 || what.includes(kind);
  const show = (heading: string, rows: Rows): void => {
    io.out(`${heading}:`);
    for (const [id, text] of rows) {
      for (const line of hanging(`  ${id.padEnd(20)}`, text, io.screen.columns)) io.out(line);
    }
  };
  if (isWanted("scenarios")) show("Scenarios", scenarios());
  if (isWanted("servers")) show("Servers", await servers());
  if (isWanted("generators")) show("Load generators", await generators(what.length > 0, io));
  return FINE;
}

type Rows = readonly (readonly [id: string, text: string])[];

const KINDS = ["scenarios", "servers", "generators"];

function scenarios(): Rows {
  return SCENARIOS.map(({ id, request, title, isDefault }) => {
    const route = `${request.method} ${request.path.split("?")[0]}`.padEnd(22);
    return [id, `${route}${title}${isDefault ? "" : " (only by name)"}`];
  });
}

async function servers(): Promise<Rows> {
  const servers = [...(await readCatalog()).values()];
  const toolchain = new Toolchain();
  const missing = await Promise.all(servers.map((server) => toolchain.missing(server)));
  return servers.map((server, i) => [server.id, describe(server, missing[i] ?? null)]);
}

/**
 * Lists load generators with their paths, or with the command that installs them.
 *
 * @param withCeilings whether to measure each generator's rate against the null server
 */
async function generators(withCeilings: boolean, io: Io): Promise<Rows> {
  await using scope = new ProcessScope();
  const rows: [string, string][] = [];
  const progress = createProgress({ ...io.progress, variants: 1 });
  const all = await findGenerators();
  const of = all.filter(isPresent).length;
  let place = 0;
  for (const status of all) {
    const { generator, found } = status;
    if (!isPresent(status)) {
      rows.push([generator.id, `not installed: ${(found as MissingGenerator).install}`]);
      continue;
    }
    const { version, path } = status.found;
    const what = `${version.padEnd(10)}  ${path}`;
    const counted = { place: ++place, of };
    if (withCeilings) {
      progress.show({
        kind: "phase",
        phase: { kind: "ceiling", generator: generator.id, ...counted },
      });
    }
    rows.push([
      generator.id,
      withCeilings ? `${what}  ${await ceiling(scope, status, io).finally(progress.close)}` : what,
    ]);
  }
  return rows;
}

async function ceiling(
  scope: ProcessScope,
  present: PresentGenerator,
  { stop }: Io,
): Promise<string> {
  try {
    const load = { connections: CONNECTIONS, shards: 1 };
    const { responsesPerS } = await ceilingOf(scope, present, load, stop);
    return `${rate(responsesPerS)} req/s against canned bytes`;
  } catch (error) {
    stop.throwIfAborted();
    return `does not work: ${messageOf(error)}`;
  }
}

/**
 * Describes a server. Adds its scenarios if it does not implement all of them, or the reason if it is
 * skipped on this machine.
 */
function describe(
  { name, language, framework, scenarios }: Server,
  missing: string | null,
): string {
  const what = [language, framework].filter((part) => part !== null && part !== name).join(", ");
  if (missing !== null) return `${name} (${what}) - skipped: ${missing}`;
  const defaults = SCENARIOS.filter(({ isDefault }) => isDefault);
  const isWhole = defaults.every(({ id }) => id in scenarios);
  return `${name} (${what})${isWhole ? "" : `: ${Object.keys(scenarios).join(", ")}`}`;
}
