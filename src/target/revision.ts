import { join } from "node:path";
import { Failure, UsageError } from "../model/errors.ts";
import { explainFetchFailure } from "../process/fetch_failure.ts";
import { git } from "../process/git.ts";
import type { ProcessScope } from "../process/scope.ts";

/** A commit in a git repository. */
export interface Revision {
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
export async function findRevision(folder: string, name: string): Promise<Revision> {
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
export async function checkOut(
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
