/** Manifests of servers, and the sources that they are built from. */
import { createHash } from "node:crypto";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { MANIFEST_SCHEMA } from "../model/documents.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import { readInputBytes, readInputFile } from "../model/input_file.ts";
import { describeProblems, validatorOf } from "../model/schema.ts";
import type { Manifest, Server } from "../model/server.ts";
import { oneLine } from "../model/text.ts";
import { exists } from "../process/files.ts";
import { PLACEHOLDER } from "./toolchain.ts";

const FILE = "server.json";
const PEERS = fileURLToPath(new URL("../../peers/", import.meta.url));
const problemsOf = validatorOf(MANIFEST_SCHEMA, { useDefaults: true, allErrors: true });

/** Reads every manifest in `peers/`, by id. Throws a `UsageError` that names an invalid one. */
export async function readCatalog(): Promise<ReadonlyMap<string, Server>> {
  const servers: Server[] = [];
  for await (const { name } of Deno.readDir(PEERS)) {
    const path = join(PEERS, name, FILE);
    // A folder without a manifest contains sources that several servers share.
    if (await exists(path)) servers.push(await readManifest(path));
  }
  servers.sort((a, b) => a.id < b.id ? -1 : 1);
  return new Map(servers.map((server) => [server.id, server]));
}

/** Reads a manifest at its path, in its folder, or in a project. Throws a `UsageError` if it is invalid. */
export async function readManifest(at: string): Promise<Server> {
  const isFolder = await Deno.stat(at).then(({ isDirectory }) => isDirectory, () => false);
  const path = isFolder ? await manifestIn(at) : at;
  const manifest = await readFields(path);
  const reject = (why: string): never => {
    throw new UsageError(`Cannot use ${path}: ${why}`);
  };
  const problems = problemsOf(manifest);
  if (problems.length > 0) reject(describeProblems(problems));
  const folder = dirname(path);
  const server: Server = { ...manifest as unknown as Manifest, folder, attached: null };
  const unknown = unknownPlaceholder(server);
  if (unknown !== undefined) reject(`the placeholder ${unknown} is unknown`);
  if (server.id !== basename(folder)) reject(`its id "${server.id}" is not its folder's name`);
  return server;
}

async function manifestIn(folder: string): Promise<string> {
  const direct = join(folder, FILE);
  if (await exists(direct)) return direct;
  for (const place of [join(folder, "stampede"), folder]) {
    const names = await Array.fromAsync(Deno.readDir(place)).catch(() => []);
    const paths = names.map(({ name }) => join(place, name, FILE)).sort();
    const are = await Promise.all(paths.map(exists));
    const [only, ...others] = paths.filter((_path, i) => are[i]);
    if (only === undefined) continue;
    if (others.length === 0) return only;
    const all = [only, ...others].join(", ");
    throw new UsageError(`There are several manifests in ${place}: choose from ${all}`);
  }
  throw new UsageError(
    `There is no manifest in ${folder}, neither server.json nor stampede/*/server.json: stampede init ${folder} writes one`,
  );
}

/** Placeholders in the start command and in variables. */
const AT_START =
  "HOST PORT DATABASE WORKERS DB_POOL CPU_WORKERS HELLO_HTML STATIC_FOLDER TLS_CERT TLS_KEY"
    .split(" ");
/** Placeholders in the commands of `prepare`. */
const AT_BUILD = ["TEMP"];

function unknownPlaceholder({ start, env, prepare }: Server): string | undefined {
  const find = (texts: readonly string[], known: readonly string[]): string | undefined =>
    texts.flatMap((text) => text.match(PLACEHOLDER) ?? [])
      .find((found) => !known.includes(found.slice(1, -1)));
  return find([...start, ...Object.values(env)], AT_START) ?? find(prepare.flat(), AT_BUILD);
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of a manifest, including those of the manifest that it extends. `above` has the
 * manifests that extend it, the first one first. Throws a `UsageError` for a cycle or an invalid file.
 */
export async function readFields(path: string, above: readonly string[] = []): Promise<Fields> {
  try {
    const manifest: unknown = JSON.parse(await readInputFile(path, "manifest"));
    if (!isFields(manifest)) throw new Error("it must be an object");
    const { extends: base = null, ...own } = manifest;
    if (base === null) return patched({}, own);
    const [folder, basePath] = [dirname(path), resolve(dirname(path), String(base), FILE)];
    if (above.includes(basePath)) throw new Error(`it extends ${basePath}, which extends it`);
    const { sources = ".", ...others } = await readFields(basePath, [...above, path]);
    const origin = resolve(dirname(basePath), String(sources));
    return patched({ ...others, sources: relative(resolve(folder), origin) || "." }, own);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const role = above.length === 0 ? "" : `, which ${above[0]} extends`;
    throw new UsageError(`Cannot read the manifest ${path}${role}: ${oneLine(messageOf(error))}`);
  }
}

/** Applies a JSON Merge Patch: https://www.rfc-editor.org/rfc/rfc7396 */
function patched(value: unknown, patch: Fields): Fields {
  const fields = new Map(isFields(value) ? Object.entries(value) : []);
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) fields.delete(name);
    else fields.set(name, isFields(part) ? patched(fields.get(name), part) : part);
  }
  return Object.fromEntries(fields);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Generated names. The workflow of `stampede init` checks out Stampede to `.stampede`. */
const GENERATED = ["node_modules", ".venv", "__pycache__", ".git", ".stampede"];
/** Folders that are generated if they are at the top of the sources. */
const GENERATED_AT_TOP = ["results", "classes"];
/** Folders that are generated if one of these files is next to them; else they may be sources. */
const GENERATED_NEXT_TO: Readonly<Record<string, readonly string[]>> = {
  target: ["Cargo.toml", "pom.xml"],
};

/** A file from which a server is built. All of it is part of the hash that identifies the build. */
export interface SourceFile {
  /** Path relative to the folder of the sources. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether any of its execute permissions is set. */
  readonly isExecutable: boolean;
}

/**
 * Returns the sources in a folder, sorted by path, without generated files. Symbolic links are followed, except
 * to a folder that contains them. A link to nothing, such as an editor's lock, is no source.
 *
 * @param parents real paths of the folders that contain `under`; by default those that contain `folder`
 */
export async function readSources(
  folder: string,
  under = "",
  parents: readonly string[] | null = null,
): Promise<SourceFile[]> {
  const here = await Deno.realPath(join(folder, under));
  const above = parents ?? foldersAbove(here);
  if (above.includes(here)) return [];
  const entries = await Array.fromAsync(Deno.readDir(join(folder, under)));
  const files: SourceFile[] = [];
  for (const { name } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = join(under, name);
    if (GENERATED.includes(name) || (under === "" && GENERATED_AT_TOP.includes(name))) continue;
    const makers = GENERATED_NEXT_TO[name] ?? [];
    if (entries.some((other) => makers.includes(other.name))) continue;
    const found = await Deno.stat(join(folder, path)).catch((error) => {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    });
    if (found === null) continue;
    const { isDirectory, isFile, mode } = found;
    if (isDirectory) {
      files.push(...await readSources(folder, path, [...above, here]));
    } else if (isFile) { // skips pipes, sockets and devices
      const bytes = await readInputBytes(join(folder, path), "source").catch((error) => {
        throw new Failure(`Cannot read the source ${join(folder, path)}: ${messageOf(error)}`);
      });
      files.push({ path, bytes, isExecutable: ((mode ?? 0) & 0o111) !== 0 });
    }
  }
  return files;
}

function foldersAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...foldersAbove(parent)];
}

/** Returns a short hash of sources and other inputs of a build. */
export function digest(sources: readonly SourceFile[], inputs: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(inputs));
  for (const { path, bytes, isExecutable } of sources) {
    hash.update(`\0${path}\0${isExecutable}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Writes sources to a new folder. */
export async function writeSources(sources: readonly SourceFile[], folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const { path, bytes, isExecutable } of sources) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeFile(join(folder, path), bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
}
