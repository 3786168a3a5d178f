/** Runs git with the job's token. */
import { Failure, messageOf } from "../model/errors.ts";
import { oneLine, printable } from "../model/text.ts";
import { type ActionContext, variable } from "./action_context.ts";

/** Outcome of a git command. */
export interface GitOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Author of the commits: the user that GitHub shows as github-actions. */
const AUTHOR = {
  name: "github-actions[bot]",
  email: "41898282+github-actions[bot]@users.noreply.github.com",
};
/** Maximum length of git's message in an error, in characters. */
const LONGEST_MESSAGE = 300;

/** Runs git in one folder. */
export class Git {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string, world: ActionContext, token: string) {
    this.#folder = folder;
    this.#env = envOf(variable(world, "GITHUB_SERVER_URL"), token);
  }

  /**
   * Runs a git command that may fail.
   *
   * @throws {Failure} if git is not installed.
   */
  async try(...args: readonly string[]): Promise<GitOutcome> {
    try {
      const { code, stdout, stderr } = await new Deno.Command("git", {
        args: ["-C", this.#folder, ...args],
        env: { ...this.#env },
        stdin: "null",
      }).output();
      const decoder = new TextDecoder();
      return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
    } catch (error) {
      throw new Failure(`Cannot run git: ${messageOf(error)}`);
    }
  }

  /**
   * Runs a git command that must succeed.
   *
   * @param what the action, for the error message
   * @param advice for the error message
   * @returns its standard output
   * @throws {Failure} if it fails.
   */
  async run(what: string, advice: string, ...args: readonly string[]): Promise<string> {
    const outcome = await this.try(...args);
    if (outcome.code === 0) return outcome.stdout;
    throw new Failure(`Cannot ${what}: ${reasonOf(outcome)}; ${advice}`);
  }
}

/** Returns why git failed, in one line. */
export function reasonOf({ code, stderr }: GitOutcome): string {
  const message = oneLine(printable(stderr.trim())).slice(0, LONGEST_MESSAGE);
  return message === "" ? `git ended with ${code}` : message;
}

/** Returns the repository's address for git. */
export function repositoryUrl(world: ActionContext): string {
  const server = variable(world, "GITHUB_SERVER_URL") || "https://github.com";
  return `${server}/${variable(world, "GITHUB_REPOSITORY")}`;
}

/**
 * Returns the environment of git, with the token as a header, as in actions/checkout. Other users
 * cannot read an environment.
 *
 * An empty header comes first: it removes a header that actions/checkout may have left, because GitHub
 * refuses two. https://git-scm.com/docs/git-config#Documentation/git-config.txt-httpextraHeader
 */
function envOf(server: string, token: string): Record<string, string> {
  const key = `http.${server || "https://github.com"}/.extraheader`;
  const config = token === "" ? [] : [
    [key, ""],
    [key, `AUTHORIZATION: basic ${btoa(`x-access-token:${token}`)}`],
  ];
  return {
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(config.flatMap(([name = "", value = ""], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ])),
  };
}
