/** Finds the commit that a pull request is compared with. */
import { dirname, resolve } from "node:path";
import type { PullRequestEvent } from "./event.ts";
import { Git, repositoryUrl } from "./git.ts";
import type { ActionContext } from "./action_context.ts";

/**
 * Returns the commit to compare with.
 *
 * actions/checkout checks out a merge of the pull request and its base. That base may be newer than
 * the base in the event. The function then returns the first parent of the merge, so that newer
 * changes of the base do not count as the pull request's. If the checkout lacks the commit to compare
 * with, the function fetches that one commit.
 *
 * @param manifest path of the server's manifest in the checkout
 */
export async function baseOf(
  { baseSha, headSha }: PullRequestEvent,
  { manifest, workspace, token }: { manifest: string; workspace: string; token: string },
  world: ActionContext,
): Promise<string> {
  const path = resolve(workspace, manifest);
  const git = new Git(manifest.endsWith(".json") ? dirname(path) : path, world, token);
  // A shallow checkout hides its parents from other commands
  const commit = await git.try("cat-file", "commit", "HEAD");
  const [header = ""] = commit.stdout.split("\n\n");
  const parents = [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, sha = ""]) => sha);
  const base = parents.length === 2 && parents[1] === headSha ? parents[0] ?? baseSha : baseSha;
  const isThere = (await git.try("cat-file", "-e", `${base}^{commit}`)).code === 0;
  // If that fails, bench reports that the commit is missing
  if (!isThere) await git.try("fetch", "--quiet", "--depth", "1", repositoryUrl(world), base);
  return base;
}
