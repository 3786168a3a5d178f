/** Runs git with the job's token: finds the base, and keeps reports and their site on a branch. */
import { dirname, join, resolve } from "node:path";
import { Failure, messageOf } from "../model/errors.ts";
import { oneLine, printable } from "../model/text.ts";
import { type ActionContext, type EventOf, type Inputs, tell } from "./runner.ts";

/** Author of the commits: the user that GitHub shows as github-actions. */
const NAME = "github-actions[bot]";
const EMAIL = `41898282+${NAME}@users.noreply.github.com`;
const LONGEST_MESSAGE = 300;

/** Returns the repository's address, for git and people. */
export function repositoryUrl(world: ActionContext): string {
  return `${serverUrl(world)}/${world.env("GITHUB_REPOSITORY")}`;
}

/** Returns the path of the repository's checkout. */
export function checkoutOf(world: ActionContext): string {
  return world.env("GITHUB_WORKSPACE") || Deno.cwd();
}

function serverUrl(world: ActionContext): string {
  return world.env("GITHUB_SERVER_URL") || "https://github.com";
}

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string };

class Git {
  readonly #folder: string;
  readonly #env: Record<string, string>;

  /**
   * The environment, which other users cannot read, passes the token as a header. An empty one before
   * it removes the header of actions/checkout, because GitHub refuses two.
   * https://git-scm.com/docs/git-config#Documentation/git-config.txt-httpextraHeader
   */
  constructor(folder: string, world: ActionContext, token: string) {
    this.#folder = folder;
    const key = `http.${serverUrl(world)}/.extraheader`;
    const headers = token === ""
      ? []
      : ["", `AUTHORIZATION: basic ${btoa(`x-access-token:${token}`)}`];
    const config = headers.flatMap((header, i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, header],
    ]);
    this.#env = {
      LC_ALL: "C",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: NAME,
      GIT_AUTHOR_EMAIL: EMAIL,
      GIT_COMMITTER_NAME: NAME,
      GIT_COMMITTER_EMAIL: EMAIL,
      GIT_CONFIG_COUNT: String(headers.length),
      ...Object.fromEntries(config),
    };
  }

  /** Runs a git command that may fail; throws a {@linkcode Failure} if git is not installed. */
  async try(...args: readonly string[]): Promise<Outcome> {
    try {
      const { code, stdout, stderr } = await new Deno.Command("git", {
        args: ["-C", this.#folder, ...args],
        env: this.#env,
        stdin: "null",
      }).output();
      const decoder = new TextDecoder();
      return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
    } catch (error) {
      throw new Failure(`Cannot run git: ${messageOf(error)}`);
    }
  }

  /** Returns the output of a git command; throws `Cannot ${what}: <git's message>; ${advice}`. */
  async run(what: string, advice: string, ...args: readonly string[]): Promise<string> {
    const outcome = await this.try(...args);
    if (outcome.code === 0) return outcome.stdout;
    throw failed(what, outcome, advice);
  }
}

function failed(what: string, { code, stderr }: Outcome, advice: string): Failure {
  const message = oneLine(printable(stderr.trim())).slice(0, LONGEST_MESSAGE);
  return new Failure(`Cannot ${what}: ${message || `git ended with ${code}`}; ${advice}`);
}

/**
 * Returns the commit to compare with, and fetches it if the checkout lacks it. actions/checkout merges
 * the pull request with its base. The first parent of the merge may be newer than the event's base, and
 * newer changes of the base must not count as the pull request's.
 */
export async function baseOf(
  { baseSha, headSha }: EventOf<"pull_request">,
  { server, token }: Pick<Inputs, "server" | "token">,
  world: ActionContext,
): Promise<string> {
  const path = resolve(checkoutOf(world), server);
  const git = new Git(server.endsWith(".json") ? dirname(path) : path, world, token);
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

/** A report to keep. */
interface HistoryEntry extends Pick<Inputs, "historyBranch" | "keep" | "token"> {
  readonly path: string;
  /** Name of the file on the branch. Sorted by name, reports are sorted by time. */
  readonly name: string;
  readonly message: string;
}

/** Timeout of `stampede site`, in milliseconds. A page takes a second, and there may be hundreds. */
const SITE_MS = 1_800_000;
const TRIES = 6;
/** Maximum wait before the second push, in milliseconds. It doubles for each further push. */
const FIRST_WAIT_MS = 500;
const NEEDS = "the job needs permissions: contents: write";
const LOOK = "look at the runner";
/** Matches git's messages after another job has pushed first. */
const PUSHED_FIRST =
  /\[rejected\]|\[remote rejected\].*(lock|failed to update)|fetch first|cannot lock/;

/**
 * Adds a report to the branch and rebuilds the site, in a new repository in a temporary folder. If
 * another job has pushed in the meantime, it starts again from the new state. Throws a
 * {@linkcode Failure} if the branch cannot be read or pushed, or the site cannot be built.
 */
export async function addToHistory(entry: HistoryEntry, world: ActionContext): Promise<void> {
  const { historyBranch: branch, token } = entry;
  const folder = await Deno.makeTempDir({ prefix: "stampede-history-" });
  try {
    const git = new Git(folder, world, token);
    await git.run("make a folder for the history", LOOK, "init", "--quiet");
    for (let attempt = 1;; attempt++) {
      await begin(git, branch, world);
      await fill(folder, entry, world);
      if (!await commit(git, entry)) return;
      const pushed = await git.try("push", repositoryUrl(world), `HEAD:refs/heads/${branch}`);
      if (pushed.code === 0) return;
      const isLate = PUSHED_FIRST.test(pushed.stderr);
      if (!isLate || attempt === TRIES) {
        throw failed(`push the branch ${branch}`, pushed, isLate ? "run the job again" : NEEDS);
      }
      const why = `Another job has pushed to ${branch}`;
      tell(world, "notice", `${why}: starting again from its newest state`);
      await world.pause(Math.random() * FIRST_WAIT_MS * 2 ** attempt);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function begin(git: Git, branch: string, world: ActionContext): Promise<void> {
  const url = repositoryUrl(world);
  const ref = `refs/heads/${branch}`;
  const what = `read the branch ${branch}`;
  const heads = await git.run(what, NEEDS, "ls-remote", "--heads", url, ref);
  const isThere = heads.trim() !== "";
  if (isThere) await git.run(what, NEEDS, "fetch", "--quiet", "--depth", "1", url, ref);
  const start = isThere ? ["--force", "--detach", "FETCH_HEAD"] : ["--orphan", branch];
  await git.run(what, LOOK, "checkout", "--quiet", ...start);
}

async function fill(folder: string, entry: HistoryEntry, world: ActionContext): Promise<void> {
  const results = join(folder, "results");
  await Deno.mkdir(results, { recursive: true });
  await Deno.copyFile(entry.path, join(results, entry.name));
  const names = (await Array.fromAsync(Deno.readDir(results), ({ name }) => name))
    .filter((name) => name.endsWith(".json")).sort();
  for (const name of names.slice(0, -entry.keep)) await Deno.remove(join(results, name));
  const code = await world.bench(["site", "results/", "--out", "site/"], folder, SITE_MS);
  if (code !== 0) {
    throw new Failure(`Cannot make the site: stampede site ended with exit code ${code}`);
  }
  // GitHub Pages then serves the files without Jekyll
  await Deno.writeTextFile(join(folder, ".nojekyll"), "");
}

async function commit(git: Git, { message }: HistoryEntry): Promise<boolean> {
  const what = "commit the report";
  await git.run(what, LOOK, "add", "--all", "--force", "results", "site", ".nojekyll");
  const staged = await git.run(what, LOOK, "status", "--porcelain");
  if (staged.trim() === "") return false;
  await git.run(what, LOOK, "commit", "--quiet", "-m", message);
  return true;
}
