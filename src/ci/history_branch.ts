/** Keeps old reports and their site on a branch. */
import { join } from "node:path";
import { Failure } from "../model/errors.ts";
import { Git, reasonOf, repositoryUrl } from "./git.ts";
import { tell } from "./commands.ts";
import type { ActionContext } from "./event.ts";

/** A report to keep, and the branch that keeps it. */
interface HistoryEntry {
  readonly branch: string;
  /** Path of the report's file. */
  readonly report: string;
  /** Name of the file on the branch. Sorted by name, reports are sorted by time. */
  readonly name: string;
  /** Maximum number of reports on the branch. */
  readonly keep: number;
  readonly message: string;
  readonly token: string;
}

const RESULTS = "results";
const SITE = "site";
/**
 * Timeout of `bench site`, in milliseconds: half an hour. A page takes a second, and there may be
 * hundreds.
 */
const SITE_MS = 1_800_000;
/** Maximum number of attempts to push. In each of them, another job may push first. */
const TRIES = 6;
/** Maximum wait before the second push, in milliseconds. It doubles for each further push. */
const FIRST_WAIT_MS = 500;
const NEEDS = "the job needs permissions: contents: write";
/** Matches git's messages after another job has pushed first. */
const PUSHED_FIRST =
  /\[rejected\]|\[remote rejected\].*(lock|failed to update)|fetch first|cannot lock/;

/**
 * Adds a report to the branch and rebuilds the site. It works in a new repository in a temporary folder, so
 * the checkout does not change. If another job has pushed in the meantime, it starts again from the new
 * state.
 *
 * @throws {Failure} if the branch cannot be read or pushed, or the site cannot be built.
 */
export async function addToHistory(entry: HistoryEntry, world: ActionContext): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "stampede-history-" });
  try {
    const git = new Git(folder, world, entry.token);
    await git.run("make a folder for the history", "look at the runner", "init", "--quiet");
    for (let attempt = 1;; attempt++) {
      await begin(git, entry.branch, world);
      await fill(folder, entry, world);
      if (!await commit(git, entry)) return;
      const pushed = await git.try("push", repositoryUrl(world), `HEAD:refs/heads/${entry.branch}`);
      if (pushed.code === 0) return;
      const isLate = PUSHED_FIRST.test(pushed.stderr);
      if (!isLate || attempt === TRIES) {
        const advice = isLate ? "run the job again" : NEEDS;
        throw new Failure(`Cannot push the branch ${entry.branch}: ${reasonOf(pushed)}; ${advice}`);
      }
      tell(
        world,
        "notice",
        `Another job has pushed to ${entry.branch}: starting again from its newest state`,
      );
      await world.pause(Math.random() * FIRST_WAIT_MS * 2 ** attempt);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Checks out the branch in its newest state, or starts an empty one. */
async function begin(git: Git, branch: string, world: ActionContext): Promise<void> {
  const url = repositoryUrl(world);
  const what = `read the branch ${branch}`;
  const heads = await git.run(what, NEEDS, "ls-remote", "--heads", url, `refs/heads/${branch}`);
  if (heads.trim() === "") {
    await git.run(what, "look at the runner", "checkout", "--quiet", "--orphan", branch);
    return;
  }
  await git.run(what, NEEDS, "fetch", "--quiet", "--depth", "1", url, `refs/heads/${branch}`);
  await git.run(
    what,
    "look at the runner",
    "checkout",
    "--quiet",
    "--force",
    "--detach",
    "FETCH_HEAD",
  );
}

/** Adds the report, removes the oldest ones beyond the limit, and builds the site. */
async function fill(folder: string, entry: HistoryEntry, world: ActionContext): Promise<void> {
  const results = join(folder, RESULTS);
  await Deno.mkdir(results, { recursive: true });
  await Deno.copyFile(entry.report, join(results, entry.name));
  const names = (await Array.fromAsync(Deno.readDir(results))).map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).sort();
  for (const name of names.slice(0, -entry.keep)) await Deno.remove(join(results, name));
  const code = await world.bench(["site", `${RESULTS}/`, "--out", `${SITE}/`], folder, SITE_MS);
  if (code !== 0) {
    throw new Failure(`Cannot make the site: bench site ended with exit code ${code}`);
  }
  // GitHub Pages then serves the files without Jekyll
  await Deno.writeTextFile(join(folder, ".nojekyll"), "");
}

/**
 * Commits the files.
 *
 * @returns whether anything changed
 */
async function commit(git: Git, { message }: HistoryEntry): Promise<boolean> {
  const what = "commit the report";
  const advice = "look at the runner";
  await git.run(what, advice, "add", "--all", "--force", RESULTS, SITE, ".nojekyll");
  const staged = await git.run(what, advice, "status", "--porcelain");
  if (staged.trim() === "") return false;
  await git.run(what, advice, "commit", "--quiet", "-m", message);
  return true;
}
