import { pick } from "../../experiment/select.ts";
import { Failure, messageOf, UsageError } from "../../model/errors.ts";
import { FINE } from "../../model/exit_codes.ts";
import { readInputFile } from "../../model/input_file.ts";
import type { Server } from "../../model/server.ts";
import { oneLine } from "../../model/text.ts";
import { newScenarioText, withScenario } from "../../project/new_scenario.ts";
import { newServerFiles } from "../../project/new_server.ts";
import { writeWhole } from "../../results/store.ts";
import { readCatalog } from "../../target/catalog.ts";
import { writeSources } from "../../target/sources.ts";
import { quoted } from "../../view/reproduce.ts";
import type { Io } from "../io.ts";

/** Options of `new`, as parsed. */
interface NewOptions {
  readonly like: string;
  readonly server?: readonly string[];
}

const ID = /^[a-z][a-z0-9-]*$/;

/**
 * Runs `new`: `new server ID` copies a server of the suite to a folder of that name, `new scenario ID` writes
 * a first scenario. Both pass `verify` at once. Existing files are not overwritten.
 *
 * @returns the exit code
 * @throws {UsageError} for other arguments, or if the name is taken
 */
export async function create(
  [what = "", id = "", ...more]: readonly string[],
  options: NewOptions,
  io: Io,
): Promise<number> {
  if (!["server", "scenario"].includes(what) || more.length > 0) {
    throw new UsageError("Cannot create that: use bench new server ID, or bench new scenario ID");
  }
  if (!ID.test(id)) {
    throw new UsageError(
      `Cannot call a ${what} "${
        oneLine(id).slice(0, 40)
      }": use lower-case letters, digits and hyphens, and begin with a letter`,
    );
  }
  const command = what === "server"
    ? await createServer(id, options, io)
    : await createScenario(id, options, io);
  io.out(`\nThen run:\n  ${quoted([...io.program, "verify", ...command])}`);
  io.out(`  ${quoted([...io.program, ...command])}`);
  return FINE;
}

async function createServer(id: string, { like }: NewOptions, io: Io): Promise<string[]> {
  const folder = io.path(id);
  const files = await newServerFiles(await serverOf(like), id, folder);
  await Deno.mkdir(folder).catch((error) => {
    throw error instanceof Deno.errors.AlreadyExists
      ? new UsageError(`Cannot create the server ${id}: ${id} already exists`)
      : new Failure(`Cannot create the folder ${id}: ${error.message}`);
  });
  await writeSources(files, folder);
  io.out(`Wrote ${id}/ (${files.length} files, a copy of ${like})`);
  io.out(`Check ${id}/server.json: its build, its start, and its scenarios`);
  return ["--server", `${id}/server.json`];
}

/** Returns the server of the suite with this id. */
async function serverOf(id: string): Promise<Server> {
  return pick("server", [id], [...(await readCatalog()).values()])[0] as Server;
}

async function createScenario(id: string, { server = [] }: NewOptions, io: Io): Promise<string[]> {
  const file = `${id}.js`;
  const changed = await Promise.all(server.map(async (path) => {
    try {
      return [path, withScenario(await readInputFile(io.path(path), "manifest"), id)] as const;
    } catch (error) {
      throw new UsageError(`Cannot add ${id} to the manifest ${path}: ${messageOf(error)}`);
    }
  }));
  await Deno.writeTextFile(io.path(file), newScenarioText(id), { createNew: true }).catch(
    (error) => {
      throw error instanceof Deno.errors.AlreadyExists
        ? new UsageError(`Cannot write the scenario ${id}: ${file} already exists`)
        : new Failure(`Cannot write ${file}: ${error.message}`);
    },
  );
  io.out(`Wrote ${file} (a request, and the check of its response)`);
  for (const [path, text] of changed) {
    if (text === null) continue;
    await writeWhole(io.path(path), text);
    io.out(`Changed ${path} (its server implements ${id})`);
  }
  if (server.length === 0) io.out(`Add "${id}": {} to the scenarios of your server's manifest`);
  const servers = server.length === 0 ? ["server.json"] : server;
  return ["--scenario", file, ...servers.flatMap((path) => ["--server", path])];
}
