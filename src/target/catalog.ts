import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MANIFEST_SCHEMA } from "../model/documents.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { oneLine } from "../model/text.ts";
import { describeProblems, validatorOf } from "../model/validator.ts";
import type { Manifest, Server } from "../model/server.ts";
import { PLACEHOLDER } from "./command.ts";

const PEERS = new URL("../../peers/", import.meta.url);
const problemsOf = validatorOf(MANIFEST_SCHEMA, { useDefaults: true, allErrors: true });

/**
 * Reads every manifest in `peers/`.
 *
 * @returns the servers by id.
 * @throws {UsageError} with the path of an invalid manifest.
 */
export async function readCatalog(): Promise<ReadonlyMap<string, Server>> {
  const folder = fileURLToPath(PEERS);
  const servers: Server[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const path = join(folder, name, "server.json");
    // A folder without a manifest contains sources that several servers share.
    if (await exists(path)) servers.push(await readManifest(path));
  }
  servers.sort((a, b) => a.id < b.id ? -1 : 1);
  return new Map(servers.map((server) => [server.id, server]));
}

/**
 * Reads a manifest.
 *
 * @param at its path, the folder that contains it, or a project in which `bench init` wrote it
 * @throws {UsageError} if it is missing or invalid.
 */
export async function readManifest(at: string): Promise<Server> {
  const isFolder = await Deno.stat(at).then(({ isDirectory }) => isDirectory, () => false);
  const path = isFolder ? await manifestIn(at) : at;
  const manifest = await parse(path);
  const problems = problemsOf(manifest);
  if (problems.length > 0) {
    throw new UsageError(`Cannot use ${path}: ${describeProblems(problems)}`);
  }
  const folder = dirname(path);
  const server: Server = { ...manifest as Manifest, folder, attached: null };
  const unknown = unknownPlaceholder(server);
  if (unknown !== undefined) {
    throw new UsageError(`Cannot use ${path}: the placeholder ${unknown} is unknown`);
  }
  if (server.id !== basename(folder)) {
    throw new UsageError(`Cannot use ${path}: its id "${server.id}" is not its folder's name`);
  }
  return server;
}

/**
 * Returns the path of the manifest in a folder.
 *
 * @throws {UsageError} if there are none or several.
 */
async function manifestIn(folder: string): Promise<string> {
  const direct = join(folder, "server.json");
  if (await exists(direct)) return direct;
  const places = [join(folder, "stampede"), folder];
  for (const place of places) {
    const names = await Array.fromAsync(Deno.readDir(place)).catch(() => []);
    const paths = names.map(({ name }) => join(place, name, "server.json")).sort();
    const found = (await Promise.all(paths.map(async (path) => await exists(path) ? [path] : [])))
      .flat();
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    if (found.length > 1) {
      throw new UsageError(
        `There are several manifests in ${place}: choose from ${found.join(", ")}`,
      );
    }
  }
  throw new UsageError(
    `There is no manifest in ${folder}, neither server.json nor stampede/*/server.json: bench init ${folder} writes one`,
  );
}

/** Placeholders in the start command and in variables. */
const AT_START = [
  "HOST",
  "PORT",
  "DATABASE",
  "WORKERS",
  "DB_POOL",
  "CPU_WORKERS",
  "HELLO_HTML",
  "STATIC_FOLDER",
  "TLS_CERT",
  "TLS_KEY",
];
/** Placeholders in the commands of `prepare`. */
const AT_BUILD = ["TEMP"];

/** Returns the first unknown placeholder in the commands of a manifest. */
function unknownPlaceholder({ start, env, prepare }: Server): string | undefined {
  const find = (texts: readonly string[], known: readonly string[]): string | undefined =>
    texts.flatMap((text) => text.match(PLACEHOLDER) ?? [])
      .find((found) => !known.includes(found.slice(1, -1)));
  return find([...start, ...Object.values(env)], AT_START) ?? find(prepare.flat(), AT_BUILD);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function parse(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readInputFile(path, "manifest"));
  } catch (error) {
    throw new UsageError(`Cannot read the manifest ${path}: ${oneLine(messageOf(error))}`);
  }
}
