/** Lists scenarios, servers and load generators. */
import { dirname, join } from "node:path";
import denoConfig from "../../../deno.json" with { type: "json" };
import { SCENARIOS } from "../../../scenarios/mod.ts";
import {
  ceilingOf,
  findGenerators,
  type GeneratorStatus,
  isPresent,
} from "../../engine/generator_pool.ts";
import { GENERATORS, type MissingGenerator, TOOLS } from "../../load/generator_list.ts";
import { FINE, messageOf, UsageError } from "../../model/errors.ts";
import { readText, which } from "../../process/files.ts";
import { ProcessScope } from "../../process/scope.ts";
import { writeWhole } from "../../results/store.ts";
import { cacheFolder } from "../../target/build.ts";
import { readCatalog } from "../../target/catalog.ts";
import { Toolchain } from "../../target/toolchain.ts";
import { rate } from "../../view/format.ts";
import { createProgress } from "../../view/progress.ts";
import { hanging } from "../../view/table.ts";
import type { Options } from "../command.ts";
import type { Io } from "../io.ts";

type Rows = readonly (readonly [id: string, text: string])[];

const LISTS = {
  scenarios: { heading: "Scenarios", rowsOf: scenarios },
  servers: { heading: "Servers", rowsOf: servers },
  generators: { heading: "Load generators", rowsOf: generators },
};

/** Prints the lists of the words, by default all. Naming generators measures their ceilings. */
export async function list(what: readonly string[], _options: Options, io: Io): Promise<number> {
  const unknown = what.find((word) => !Object.hasOwn(LISTS, word));
  if (unknown !== undefined) {
    throw new UsageError(`Cannot list "${unknown}": choose from ${Object.keys(LISTS).join(", ")}`);
  }
  for (const [kind, { heading, rowsOf }] of Object.entries(LISTS)) {
    if (what.length > 0 && !what.includes(kind)) continue;
    const rows = await rowsOf(what.length > 0, io);
    io.out(`${heading}:`);
    for (const [id, text] of rows) {
      for (const line of hanging(`  ${id.padEnd(20)}`, text, io.screen.columns)) io.out(line);
    }
  }
  return FINE;
}

function scenarios(): Rows {
  return SCENARIOS.map(({ id, request, title, isDefault }) => {
    const route = `${request.method} ${request.path.split("?")[0]}`.padEnd(22);
    return [id, `${route}${title}${isDefault ? "" : " (only by name)"}`];
  });
}

/** Lists servers with the scenarios of those that lack some, or the reason if one is skipped here. */
async function servers(_isAlone: boolean, io: Io): Promise<Rows> {
  const all = [...(await readCatalog()).values()];
  const toolchain = new Toolchain();
  const commands = all.flatMap(({ requires }) => requires.map(({ command }) => command));
  const missing = await remembered(
    "servers",
    [commands, all.map(({ requires }) => requires)],
    async () => await Promise.all(all.map((server) => toolchain.missing(server))),
    io,
  );
  const defaults = SCENARIOS.filter(({ isDefault }) => isDefault);
  return all.map(({ id, name, language, framework, scenarios }, i) => {
    const parts = [language, framework].filter((part) => part !== null && part !== name);
    const what = `${name} (${parts.join(", ")})`;
    const why = missing[i] ?? null;
    if (why !== null) return [id, `${what} - skipped: ${why}`] as const;
    const isWhole = defaults.every(({ id }) => id in scenarios);
    return [id, isWhole ? what : `${what}: ${Object.keys(scenarios).join(", ")}`] as const;
  });
}

/** Milliseconds for which `list` remembers: a version manager leaves a program's file the same. */
const REMEMBERED_MS = 3_600_000;

/** Returns what was found within the last hour with the same programs, or finds it, which takes seconds. */
async function remembered<T>(
  name: string,
  [commands, ...others]: readonly [commands: readonly (readonly string[])[], ...unknown[]],
  find: () => Promise<T>,
  io: Io,
): Promise<T> {
  const programs = [...new Set(commands.map(([program = ""]) => which(program)))].sort();
  const files = programs.map((path) => [path, path && Deno.statSync(path).mtime]);
  const key = JSON.stringify([denoConfig.version, Deno.execPath(), files, commands, others]);
  const folder = cacheFolder(null, io.env);
  const path = folder && join(dirname(folder), `list-${name}.json`);
  const known = path && JSON.parse(readText(path) ?? "null");
  if (known?.key === key && Date.now() - known.at < REMEMBERED_MS) return known.found;
  const found = await find();
  // Without a cache folder, it is found each time
  if (path) await writeWhole(path, JSON.stringify({ key, at: Date.now(), found })).catch(() => {});
  return found;
}

/** Number of connections at which a ceiling is measured: the default of a run. */
const CEILING_CONNECTIONS = 10;

async function generators(withCeilings: boolean, io: Io): Promise<Rows> {
  await using scope = new ProcessScope();
  const progress = createProgress({ ...io.progress, variants: 1 });
  const commands = TOOLS.map(({ version }) => version.command);
  const find = async (): Promise<GeneratorStatus["found"][]> =>
    (await findGenerators()).map(({ found }) => found);
  const found = withCeilings ? await find() : await remembered("generators", [commands], find, io);
  const all = GENERATORS.map((generator, i) => ({ generator, found: found[i] as typeof found[0] }));
  const of = all.filter(isPresent).length;
  let place = 0;
  return await Array.fromAsync(all, async (status) => {
    const { id } = status.generator;
    if (!isPresent(status)) {
      return [id, `not installed: ${(status.found as MissingGenerator).install}`] as const;
    }
    const what = `${status.found.version.padEnd(10)}  ${status.found.path}`;
    if (!withCeilings) return [id, what] as const;
    progress.show({ kind: "phase", phase: { kind: "ceiling", generator: id, place: ++place, of } });
    const load = { connections: CEILING_CONNECTIONS, shards: 1 };
    const ceiling = await ceilingOf(scope, status, load, io.stop).then(
      ({ responsesPerS }) => `${rate(responsesPerS)} req/s against canned bytes`,
      (error) => {
        io.stop.throwIfAborted();
        return `does not work: ${messageOf(error)}`;
      },
    ).finally(progress.close);
    return [id, `${what}  ${ceiling}`] as const;
  });
}
