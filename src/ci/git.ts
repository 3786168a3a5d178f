/**
 * Runs git with the job's token. Files of a run of the action.
 */

import { join } from "node:path";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import { oneLine, printable } from "../model/text.ts";
import { type ActionContext, variable } from "./event.ts";
import { INPUT_NAMES, type Inputs } from "./inputs.ts";

/** Outcome of a git command. */
interface GitOutcome {
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

/** The folders and files of one run of the action. */
interface Workspace {
  /** Path of the checkout. */
  readonly checkout: string;
  /** Path of the report. In the artifact it has the same file name. */
  readonly report: string;
  /** Path of the report as Markdown. */
  readonly markdown: string;
}

/** Makes a temporary folder for this run and id, and returns the paths in it. */
export async function makeWorkspace(world: ActionContext, { id }: Inputs): Promise<Workspace> {
  const parent = variable(world, "RUNNER_TEMP") || undefined;
  const folder = await Deno.makeTempDir({
    prefix: `stampede-${id}-`,
    ...(parent !== undefined && { dir: parent }),
  });
  return {
    checkout: variable(world, "GITHUB_WORKSPACE") || Deno.cwd(),
    report: join(folder, "report.json"),
    markdown: join(folder, "report.md"),
  };
}

/**
 * Returns the arguments of `bench`: the measured server and scenarios, the user's own arguments, and the
 * outputs.
 *
 * @throws {UsageError} if no server is named.
 */
export function argumentsOf(inputs: Inputs, { report, markdown }: Workspace): string[] {
  const { server, scenarioFiles, scenarios, args } = inputs;
  if (server === "") {
    throw new UsageError(
      `Nothing to measure: set the input ${INPUT_NAMES[0]} to the manifest of a server`,
    );
  }
  return [
    ...scenarios,
    "--server",
    server,
    ...scenarioFiles.flatMap((file) => ["--scenario", file]),
    ...args,
    "--markdown",
    markdown,
    "--out",
    report,
  ];
}

/** Returns whether a file exists. */
export function exists(path: string): Promise<boolean> {
  return Deno.stat(path).then(({ isFile }) => isFile, () => false);
}

/** Returns the address of a run's page on GitHub, by default of this run. */
export function runUrl(world: ActionContext, runId = variable(world, "GITHUB_RUN_ID")): string {
  const server = variable(world, "GITHUB_SERVER_URL") || "https://github.com";
  return `${server}/${variable(world, "GITHUB_REPOSITORY")}/actions/runs/${runId}`;
}
