import { basename, join, relative } from "node:path";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import { explainFetchFailure } from "../process/connect.ts";
import { git } from "../process/git.ts";
import type { ProcessScope } from "../process/scope.ts";
import { readFields, readManifest } from "./catalog.ts";

/** A commit in a git repository. */
interface Revision {
  /** Top folder of the repository. */
  readonly repository: string;
  /** Full hash of the commit. */
  readonly commit: string;
}

/**
 * Resolves a name to a commit of the repository that contains a folder.
 *
 * @throws {UsageError} if there is no repository, no git, or no such commit.
 */
async function findRevision(folder: string, name: string): Promise<Revision> {
  const repository = await git(folder, ["rev-parse", "--show-toplevel"]);
  if (repository === null) {
    throw new UsageError(
      `Cannot find the revision ${name}: ${folder} is not in a git repository, or git is missing or rejects it`,
    );
  }
  const commit = await git(folder, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  if (commit === null) {
    throw new UsageError(
      `Cannot find the revision ${name} in ${repository}: there is no such commit, and no such file`,
    );
  }
  return { repository, commit };
}

/**
 * Writes the files of a revision to a folder. If it has a `deno.json`, the modules are installed too,
 * because a manifest's `prepare` does not do that.
 *
 * @throws {Failure} if that fails.
 * @throws the reason of `abort` if that signal is aborted.
 */
async function checkOut(
  { repository, commit }: Revision,
  folder: string,
  scope: ProcessScope,
  abort: AbortSignal,
): Promise<void> {
  // A separate index keeps the repository's index unchanged
  const env = { GIT_INDEX_FILE: join(folder, ".stampede-index") };
  const isRead = await git(repository, ["read-tree", commit], env);
  abort.throwIfAborted();
  const prefix = `--prefix=${folder}/`;
  const isWritten = await git(repository, ["checkout-index", "-a", prefix], env);
  abort.throwIfAborted();
  if (isRead === null || isWritten === null) {
    throw new Failure(`Cannot read the files of ${commit} in ${repository}`);
  }
  await Deno.remove(env.GIT_INDEX_FILE).catch(() => {});
  const hasConfig = await Deno.stat(join(folder, "deno.json")).then(() => true, () => false);
  if (!hasConfig) return;
  let printed = "";
  const child = scope.spawn({
    argv: [Deno.execPath(), "install", "--quiet"],
    env: Deno.env.toObject(), // includes proxies, mirrors and certificates
    cwd: folder,
    onLog: (text) => printed += text,
  });
  const stop = (): void => void child.stop();
  abort.addEventListener("abort", stop);
  const { success } = await child.ended;
  abort.removeEventListener("abort", stop);
  abort.throwIfAborted();
  if (!success) {
    const cause = explainFetchFailure(printed);
    throw new Failure(
      `Cannot install the modules of ${commit}: deno install failed${
        cause === null ? child.lastWords : `: ${cause}`
      }`,
    );
  }
}

/**
 * One side of a comparison: a server with its sources as they are, at a git revision, or of another
 * manifest.
 */
export interface State {
  readonly server: Server;
  /** Name of this side in texts for the user. */
  readonly label: string;
}

/** The parts of a run that {@linkcode findState} needs. */
interface StateContext {
  /**
   * Makes the temporary folder for the files of a revision, and removes it at the end of the run.
   */
  readonly scope: ProcessScope;
  /** Resolves a path that the user wrote. */
  readonly resolve: (path: string) => string;
  readonly stop: AbortSignal;
  /** Receives the name and commit of a revision before its files are written. */
  readonly onCheckOut: (name: string, commit: string) => void;
}

/**
 * Finds one side of a comparison: a server at a git revision or by another manifest, or unchanged
 * without a name.
 *
 * @param name a manifest, a folder with one, or a git revision; undefined: the server as it is
 * @throws {UsageError} if the name is unknown or no server is found there.
 * @throws {Failure} if a revision cannot be read.
 */
export async function findState(
  server: Server,
  name: string | undefined,
  { scope, resolve, stop, onCheckOut }: StateContext,
): Promise<State> {
  if (name === undefined) return { server, label: `current ${server.name}` };
  const path = resolve(name);
  if (await isManifest(path)) return { server: await readManifest(path), label: name };
  const revision = await findRevision(server.folder, name);
  const { repository, commit } = revision;
  // The folder of a manifest has the server's name, even if it is the top of the repository
  const folder = join(await scope.makeFolder(), basename(repository));
  await Deno.mkdir(folder);
  onCheckOut(name, commit);
  await checkOut(revision, folder, scope, stop);
  // Git reports the real path of the folder
  const place = relative(repository, await Deno.realPath(server.folder));
  const hasManifest = await addManifest(server, join(folder, place));
  try {
    const then = await readManifest(join(folder, place));
    const how = hasManifest ? "" : ", with the current manifest";
    return { server: then, label: `${server.name} at ${name} (${commit.slice(0, 12)})${how}` };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const problem = messageOf(error).replaceAll(`${folder}/`, "");
    throw new UsageError(`Cannot compare with ${name} of ${repository}: ${problem}`);
  }
}

/**
 * Writes the current manifest into older sources that have none. Otherwise the change that adds the manifest
 * could not be measured.
 *
 * @param then the folder of the older server
 * @returns whether there was nothing to do, because the older server has a manifest or its sources do not
 *   exist; false if it wrote the manifest
 */
async function addManifest({ folder, sources }: Server, then: string): Promise<boolean> {
  const path = join(then, "server.json");
  const isThere = (path: string): Promise<boolean> => Deno.stat(path).then(() => true, () => false);
  if (await isThere(path) || !await isThere(join(then, sources))) return true;
  await Deno.mkdir(then, { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify(await readFields(join(folder, "server.json"))));
  return false;
}

/**
 * Returns whether a path is a manifest, or a folder with one. An existing folder alone proves
 * nothing, because a branch may have the same name.
 */
async function isManifest(path: string): Promise<boolean> {
  const isFile = (path: string): Promise<boolean> =>
    Deno.stat(path).then(({ isFile }) => isFile, () => false);
  return await isFile(path) || await isFile(join(path, "server.json"));
}

/**
 * Returns the folder for builds: below the user's choice, or below the system's cache folder; null if
 * there is neither.
 *
 * @param folder the user's choice
 */
export function cacheFolder(
  folder: string | null,
  env: (name: string) => string | undefined,
  os: typeof Deno.build.os = Deno.build.os,
): string | null {
  const place = folder ?? systemCache(env, os);
  return place ? join(place, "stampede", "builds") : null;
}

function systemCache(
  env: (name: string) => string | undefined,
  os: typeof Deno.build.os,
): string | undefined {
  const home = env("HOME");
  switch (os) {
    case "darwin":
      return home && join(home, "Library", "Caches");
    case "windows":
      return env("LOCALAPPDATA");
    default:
      return env("XDG_CACHE_HOME") || (home && join(home, ".cache"));
  }
}
