/** Finds the sides of a comparison, such as git revisions. */
import { basename, join, relative } from "node:path";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import { explainFetchFailure } from "../process/fetch_failure.ts";
import { exists } from "../process/files.ts";
import { git } from "../process/git.ts";
import type { ProcessScope } from "../process/scope.ts";
import { readFields, readManifest } from "./catalog.ts";
import { findRelease, isRelease, nameOf, onRelease } from "./runtimes.ts";

/** One side of a comparison, and its name in texts for the user. */
export interface State {
  readonly server: Server;
  readonly label: string;
}

export interface StateContext {
  /** Makes the temporary folder for a revision, and removes it at the end of the run. */
  readonly scope: ProcessScope;
  /** Resolves a path that the user wrote. */
  readonly resolve: (path: string) => string;
  readonly stop: AbortSignal;
  /** Receives the name and commit of a revision before its files are written. */
  readonly onCheckOut: (name: string, commit: string) => void;
}

/**
 * Finds one side of a comparison: a manifest, a folder with one, a release of a runtime, or a git
 * revision; without a name, the server as it is. Throws a `UsageError` if the name is unknown or no
 * server is found there, a `Failure` if a revision cannot be read, and the reason of `stop`.
 */
export async function findState(
  server: Server,
  name: string | undefined,
  { scope, resolve, stop, onCheckOut }: StateContext,
): Promise<State> {
  if (name === undefined) return { server, label: `current ${server.name}` };
  const path = resolve(name);
  if (await isManifest(path)) return { server: await readManifest(path), label: name };
  if (isRelease(name)) {
    const release = await findRelease(name);
    return { server: onRelease(server, release), label: `${server.name} on ${nameOf(release)}` };
  }
  const { repository, commit } = await findRevision(server.folder, name);
  // The folder of a manifest has the server's name, even if it is the top of the repository
  const folder = join(await scope.makeFolder(), basename(repository));
  await Deno.mkdir(folder);
  onCheckOut(name, commit);
  await checkOut(repository, commit, folder, { scope, stop });
  // Git reports the real path of the folder
  const place = relative(repository, await Deno.realPath(server.folder));
  const isAdded = await addManifest(server, join(folder, place));
  try {
    const then = await readManifest(join(folder, place));
    const how = isAdded ? ", with the current manifest" : "";
    const short = commit.slice(0, 12);
    const revision = name === commit ? short : `${name} (${short})`;
    return { server: then, label: `${server.name} at ${revision}${how}` };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const problem = messageOf(error).replaceAll(`${folder}/`, "");
    throw new UsageError(`Cannot compare with ${name} of ${repository}: ${problem}`);
  }
}

/** Resolves a name to a commit of the repository that contains a folder. */
export async function findRevision(
  folder: string,
  name: string,
): Promise<Readonly<Record<"repository" | "commit", string>>> {
  const repository = await git(folder, ["rev-parse", "--show-toplevel"]);
  if (repository === null) {
    throw new UsageError(
      `Cannot find the revision ${name}: ${folder} is not in a git repository, or git is missing or rejects it; --server names the server to compare`,
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

/** Writes the files of a commit, and installs its modules, because `prepare` does not do that. */
async function checkOut(
  repository: string,
  commit: string,
  folder: string,
  { scope, stop }: Pick<StateContext, "scope" | "stop">,
): Promise<void> {
  // A separate index keeps the repository's index unchanged
  const env = { GIT_INDEX_FILE: join(folder, ".stampede-index") };
  const isRead = await git(repository, ["read-tree", commit], env);
  stop.throwIfAborted();
  const prefix = `--prefix=${folder}/`;
  const isWritten = await git(repository, ["checkout-index", "-a", prefix], env);
  stop.throwIfAborted();
  if (isRead === null || isWritten === null) {
    throw new Failure(`Cannot read the files of ${commit} in ${repository}`);
  }
  await Deno.remove(env.GIT_INDEX_FILE).catch(() => {});
  if (!await exists(join(folder, "deno.json"))) return;
  let printed = "";
  const child = scope.spawn({
    argv: [Deno.execPath(), "install", "--quiet"],
    env: Deno.env.toObject(), // includes proxies, mirrors and certificates
    cwd: folder,
    onLog: (text) => printed += text,
  });
  const { success } = await child.untilEnded(stop);
  stop.throwIfAborted();
  if (success) return;
  const cause = explainFetchFailure(printed);
  const why = cause === null ? child.lastWords : `: ${cause}`;
  throw new Failure(`Cannot install the modules of ${commit}: deno install failed${why}`);
}

/**
 * Writes the current manifest into older sources that have none, in the folder `then`. Otherwise
 * the change that adds the manifest could not be measured. Returns whether it wrote the manifest.
 */
async function addManifest({ folder, sources }: Server, then: string): Promise<boolean> {
  const path = join(then, "server.json");
  if (await exists(path) || !await exists(join(then, sources))) return false;
  await Deno.mkdir(then, { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify(await readFields(join(folder, "server.json"))));
  return true;
}

/** An existing folder without a manifest proves nothing: a branch may have the same name. */
async function isManifest(path: string): Promise<boolean> {
  const isFile = (path: string): Promise<boolean> =>
    Deno.stat(path).then(({ isFile }) => isFile, () => false);
  return await isFile(path) || await isFile(join(path, "server.json"));
}
