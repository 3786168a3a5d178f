/** The state that a pull request is compared with. */
import { dirname, resolve } from "node:path";
import type { PullRequestEvent } from "./event.ts";
import { Git, repositoryUrl } from "./git.ts";
import type { ActionContext } from "./action_context.ts";

/**
 * The commit to compare with. What actions/checkout has is the pull request merged with its base, and the base's tip
 * may be newer there than the event's: then the merge's own first parent is compared with, so that nobody else's change
 * counts as the pull request's. If it is not in the checkout, it is fetched, alone.
 *
 * @param manifest of the server, in the checkout
 */
export async function baseOf(
  { baseSha, headSha }: PullRequestEvent,
  { manifest, workspace, token }: { manifest: string; workspace: string; token: string },
  world: ActionContext,
): Promise<string> {
  const path = resolve(workspace, manifest);
  const git = new Git(manifest.endsWith(".json") ? dirname(path) : path, world, token);
  // A shallow checkout hides its parents from all but this
  const commit = await git.try("cat-file", "commit", "HEAD");
  const [header = ""] = commit.stdout.split("\n\n");
  const parents = [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, sha = ""]) => sha);
  const base = parents.length === 2 && parents[1] === headSha ? parents[0] ?? baseSha : baseSha;
  const isThere = (await git.try("cat-file", "-e", `${base}^{commit}`)).code === 0;
  // If that fails, bench says that there is no such commit
  if (!isThere) await git.try("fetch", "--quiet", "--depth", "1", repositoryUrl(world), base);
  return base;
}
