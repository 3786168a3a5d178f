import { join } from "node:path";
import { Failure, UsageError } from "../model/errors.ts";
import { explainFetchFailure } from "../process/fetch_failure.ts";
import { git } from "../process/git.ts";
import type { ProcessScope } from "../process/scope.ts";

/** A state of a git repository. */
export interface Revision {
  /** The repository's folder. */
  readonly repository: string;
  /** Its commit, in hexadecimal. */
  readonly commit: string;
}

/**
 * What a name stands for in the repository that a folder lies in.
 *
 * @throws {UsageError} if there is no repository, no git, or nothing of that name.
 */
export async function findRevision(folder: string, name: string): Promise<Revision> {
  const repository = await git(folder, ["rev-parse", "--show-toplevel"]);
  if (repository === null) {
    throw new UsageError(
      `Cannot find the revision ${name}: ${folder} is in no git repository, or git is missing or refuses it`,
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
 * Writes the files of a revision to a folder, and installs what its `deno.json` names if it has one:
 * what a manifest's own `prepare` does not do.
 *
 * @throws {Failure} if that does not work.
 * @throws the reason of `abort`.
 */
export async function checkOut(
  { repository, commit }: Revision,
  folder: string,
  scope: ProcessScope,
  abort: AbortSignal,
): Promise<void> {
  // An index of its own leaves the repository's alone
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
    env: Deno.env.toObject(), // proxies, mirrors and certificates among them
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
