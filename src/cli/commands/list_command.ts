/** Lists scenarios, servers and load generators. */
import { SCENARIOS } from "../../../scenarios/mod.ts";
import { ceilingOf, findGenerators, isPresent } from "../../engine/generator_pool.ts";
import type { MissingGenerator } from "../../load/generator_list.ts";
import { FINE, messageOf, UsageError } from "../../model/errors.ts";
import { ProcessScope } from "../../process/scope.ts";
import { readCatalog } from "../../target/catalog.ts";
import { Toolchain } from "../../target/toolchain.ts";
import { rate } from "../../view/format.ts";
import { createProgress } from "../../view/progress.ts";
import { hanging } from "../../view/table.ts";
import type { Commands } from "../command_spec.ts";
import type { Io } from "../io.ts";

export const listing = {
  list: {
    group: "Prepare",
    summary: "list scenarios, servers and load generators",
    takes: ["[what...]", "scenarios, servers, or generators (also measures their ceilings)"],
    action: list,
  },
} satisfies Commands;

type Rows = readonly (readonly [id: string, text: string])[];

const LISTS = {
  scenarios: { heading: "Scenarios", rowsOf: scenarios },
  servers: { heading: "Servers", rowsOf: servers },
  generators: { heading: "Load generators", rowsOf: generators },
};

/** Prints the lists of the words, by default all. Naming generators measures their ceilings. */
async function list(what: readonly string[], _options: unknown, io: Io): Promise<number> {
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
async function servers(): Promise<Rows> {
  const toolchain = new Toolchain();
  const defaults = SCENARIOS.filter(({ isDefault }) => isDefault);
  return await Promise.all([...(await readCatalog()).values()].map(async (server) => {
    const { id, name, language, framework, scenarios } = server;
    const parts = [language, framework].filter((part) => part !== null && part !== name);
    const what = `${name} (${parts.join(", ")})`;
    const missing = await toolchain.missing(server);
    if (missing !== null) return [id, `${what} - skipped: ${missing}`] as const;
    const isWhole = defaults.every(({ id }) => id in scenarios);
    return [id, isWhole ? what : `${what}: ${Object.keys(scenarios).join(", ")}`] as const;
  }));
}

/** Number of connections at which a ceiling is measured: the default of a run. */
const CONNECTIONS = 10;

async function generators(withCeilings: boolean, io: Io): Promise<Rows> {
  await using scope = new ProcessScope();
  const rows: [string, string][] = [];
  const progress = createProgress({ ...io.progress, variants: 1 });
  const all = await findGenerators();
  const of = all.filter(isPresent).length;
  let place = 0;
  for (const status of all) {
    const { id } = status.generator;
    if (!isPresent(status)) {
      rows.push([id, `not installed: ${(status.found as MissingGenerator).install}`]);
      continue;
    }
    const { version, path } = status.found;
    const what = `${version.padEnd(10)}  ${path}`;
    place++;
    if (!withCeilings) {
      rows.push([id, what]);
      continue;
    }
    progress.show({ kind: "phase", phase: { kind: "ceiling", generator: id, place, of } });
    const load = { connections: CONNECTIONS, shards: 1 };
    const ceiling = await ceilingOf(scope, status, load, io.stop).then(
      ({ responsesPerS }) => `${rate(responsesPerS)} req/s against canned bytes`,
      (error) => {
        io.stop.throwIfAborted();
        return `does not work: ${messageOf(error)}`;
      },
    ).finally(progress.close);
    rows.push([id, `${what}  ${ceiling}`]);
  }
  return rows;
}
