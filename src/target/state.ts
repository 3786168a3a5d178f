import { basename, join, relative } from "node:path";
import { messageOf, UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import type { ProcessScope } from "../process/scope.ts";
import { readManifest } from "./catalog.ts";
import { checkOut, findRevision } from "./revision.ts";

/** A state of a server, and what it is called. */
export interface State {
  readonly server: Server;
  readonly label: string;
}

/** What finding a state needs. */
export interface StateContext {
  /** Holds the files of a revision. */
  readonly scope: ProcessScope;
  /** Makes a path of what the person wrote. */
  readonly resolve: (path: string) => string;
  readonly stop: AbortSignal;
  /** Hears that a revision is written to a temporary folder. */
  readonly onCheckOut: (name: string, commit: string) => void;
}

/**
 * A server at a git revision, or another one by its manifest, or without a name the server as it is.
 *
 * @throws {UsageError} if there is nothing of that name, or no server in it.
 * @throws {Failure} if a revision cannot be read.
 */
export async function findState(
  server: Server,
  name: string | undefined,
  { scope, resolve, stop, onCheckOut }: StateContext,
): Promise<State> {
  if (name === undefined) return { server, label: `${server.name} as it is` };
  const path = resolve(name);
  if (await isManifest(path)) return { server: await readManifest(path), label: name };
  const revision = await findRevision(server.folder, name);
  const { repository, commit } = revision;
  // A manifest's folder has the name of the server, also if it is the repository's
  const folder = join(await scope.makeFolder(), basename(repository));
  await Deno.mkdir(folder);
  onCheckOut(name, commit);
  await checkOut(revision, folder, scope, stop);
  // Git knows the folder by its real path
  const place = relative(repository, await Deno.realPath(server.folder));
  const isOwn = await addManifest(server, join(folder, place));
  try {
    const then = await readManifest(join(folder, place));
    const how = isOwn ? "" : ", by the manifest of now";
    return { server: then, label: `${server.name} at ${name} (${commit.slice(0, 12)})${how}` };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const problem = messageOf(error).replaceAll(`${folder}/`, "");
    throw new UsageError(`Cannot compare with ${name} of ${repository}: ${problem}`);
  }
}

/**
 * Gives sources from before there was a manifest the one of now, so that the change that adds it can be measured.
 *
 * @returns whether they have one of their own, or there are no sources.
 */
async function addManifest({ folder, sources }: Server, then: string): Promise<boolean> {
  const path = join(then, "server.json");
  const isThere = (path: string): Promise<boolean> => Deno.stat(path).then(() => true, () => false);
  if (await isThere(path) || !await isThere(join(then, sources))) return true;
  await Deno.mkdir(then, { recursive: true });
  await Deno.copyFile(join(folder, "server.json"), path);
  return false;
}

/** Whether there is a manifest, or a folder with one; a branch may be called like a folder. */
async function isManifest(path: string): Promise<boolean> {
  const isFile = (path: string): Promise<boolean> =>
    Deno.stat(path).then(({ isFile }) => isFile, () => false);
  return await isFile(path) || await isFile(join(path, "server.json"));
}
