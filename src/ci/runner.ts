/** The action's surroundings on GitHub's runner: inputs, event, log, outputs and processes. */
import { NO_THRESHOLDS, parseThresholds, type Thresholds } from "../model/costs.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { printable } from "../model/text.ts";

/** The functions by which the action reaches its surroundings. Tests replace them. */
export interface ActionContext {
  /** Returns an environment variable, or the empty text. */
  env(name: string): string;
  /** Prints a line to the job's log. Lines that begin with `::` are commands. */
  say(line: string): void;
  /** Runs a command of `stampede`, stops it after the timeout, and returns its exit code. */
  bench(args: readonly string[], folder: string, timeoutMs: number): Promise<number>;
  pause(ms: number): Promise<void>;
  /** Timeout of a request to GitHub, in milliseconds. */
  readonly timeoutMs: number;
}

/** Returns the variable by which action.yml passes an input, so that no text becomes shell code. */
export function variableOf(input: string): string {
  return `INPUT_${input.toUpperCase().replaceAll("-", "_")}`;
}

/** Allowed form of an id, which is part of a comment's marker and of an artifact's name. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** Allowed form of a branch name: such names need no escaping in git commands and URLs. */
const BRANCH = /^[A-Za-z0-9_][A-Za-z0-9_/-]{0,99}$/;

/** The inputs. Paths are relative to the checkout. */
export interface Inputs {
  readonly server: string;
  readonly scenarioFiles: readonly string[];
  readonly scenarios: readonly string[];
  /** Further arguments of `stampede`. */
  readonly args: readonly string[];
  /** Value of `--fail-on`; empty without a gate. */
  readonly failOn: string;
  /** The same, parsed. */
  readonly thresholds: Thresholds;
  readonly timeoutMs: number;
  /** Id that distinguishes the comments and artifacts of several workflows. */
  readonly id: string;
  readonly hasComment: boolean;
  /** Branch that keeps the reports; empty means none. */
  readonly historyBranch: string;
  /** Maximum number of reports on the branch. */
  readonly keep: number;
  readonly token: string;
}

/** Reads the inputs; throws a {@linkcode UsageError} if one is invalid. */
export function readInputs(world: ActionContext): Inputs {
  const input = (name: string): string => world.env(variableOf(name)).trim();
  const valid = (
    name: string,
    form: Pick<RegExp, "test">,
    what: string,
    fallback = "",
  ): string => {
    const value = input(name) || fallback;
    if (value === fallback || form.test(value)) return value;
    throw new UsageError(`Cannot use "${value}" as the input ${name}: it must be ${what}`);
  };
  const failOn = valid(
    "fail-on",
    { test: (value) => parseThresholds(value) !== null },
    "such as 5% or 5%,memory=10%",
  );
  const minutes = valid("timeout-minutes", /^[1-9]\d{0,2}$/, "1 to 999", "30");
  return {
    server: input("server"),
    scenarioFiles: input("scenario").split("\n").map((line) => line.trim())
      .filter((line) => line !== ""),
    scenarios: wordsOf(input("scenarios")),
    args: wordsOf(input("args")),
    failOn,
    thresholds: parseThresholds(failOn) ?? NO_THRESHOLDS,
    timeoutMs: 60_000 * Number(minutes),
    id: valid("id", ID, ID.source, "stampede"),
    hasComment: valid("comment", /^(true|false)$/, "true or false") !== "false",
    historyBranch: valid("history-branch", BRANCH, BRANCH.source),
    keep: Number(valid("keep", /^[1-9]\d{0,4}$/, "1 to 99999", "200")),
    token: input("token"),
  };
}

/** Splits a line of arguments at spaces, except within quotes. */
function wordsOf(text: string): string[] {
  return (text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [])
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** An event that triggered the action. Its facts come from GitHub, so they are trusted. */
export type EventOf<K extends Event["kind"]> = Extract<Event, { readonly kind: K }>;

type Event = {
  readonly kind: "pull_request";
  readonly number: number;
  readonly baseSha: string;
  readonly headSha: string;
  /** Whether the branch is in another repository. The job's token then cannot write. */
  readonly isFork: boolean;
} | {
  readonly kind: "workflow_run";
  readonly runId: number;
  /** Name of the event that triggered the run: `pull_request`. */
  readonly cause: string;
  readonly headSha: string;
  readonly headBranch: string;
  /** Repository of the measured branch: `owner/name`. */
  readonly headRepository: string;
  readonly headOwner: string;
  readonly isFork: boolean;
  readonly hasFailed: boolean;
} | {
  readonly kind: "branch";
  /** Full name of the branch: `refs/heads/main`. */
  readonly ref: string;
  /** Name of the default branch; null if GitHub does not send it. */
  readonly defaultBranch: string | null;
  readonly isDeleted: boolean;
};

/** Conclusions of a failed run. A cancelled or skipped one has not failed. */
const FAILURES: readonly unknown[] = ["failure", "startup_failure", "timed_out"];
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isSha = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value);
const isId = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Reads the event: https://docs.github.com/en/webhooks/webhook-events-and-payloads. Throws a
 * {@linkcode UsageError} if the action does not support the event, or must not run on it.
 */
export async function readEvent(world: ActionContext): Promise<Event> {
  let payload: unknown;
  try {
    payload = JSON.parse(await readInputFile(world.env("GITHUB_EVENT_PATH"), "event"));
  } catch (error) {
    throw new UsageError(
      `Cannot read the event in the file that GITHUB_EVENT_PATH names: ${messageOf(error)}`,
    );
  }
  const read = <T>(path: string, isValid: (value: unknown) => value is T): T => {
    const value = at(payload, path);
    if (isValid(value)) return value;
    throw new UsageError(`Cannot use the event: its ${path} is missing or invalid`);
  };
  const name = world.env("GITHUB_EVENT_NAME");
  const repository = world.env("GITHUB_REPOSITORY");
  switch (name) {
    case "pull_request":
      return {
        kind: "pull_request",
        number: read("pull_request.number", isId),
        baseSha: read("pull_request.base.sha", isSha),
        headSha: read("pull_request.head.sha", isSha),
        // A deleted fork has no repository
        isFork: at(payload, "pull_request.head.repo.full_name") !== repository,
      };
    case "workflow_run": {
      const headRepository = read("workflow_run.head_repository.full_name", isText);
      return {
        kind: "workflow_run",
        runId: read("workflow_run.id", isId),
        cause: read("workflow_run.event", isText),
        headSha: read("workflow_run.head_sha", isSha),
        headBranch: read("workflow_run.head_branch", isText),
        headRepository,
        headOwner: read("workflow_run.head_repository.owner.login", isText),
        isFork: headRepository !== repository,
        hasFailed: FAILURES.includes(at(payload, "workflow_run.conclusion")),
      };
    }
    case "push":
    case "schedule":
    case "workflow_dispatch": {
      const defaultBranch = at(payload, "repository.default_branch");
      return {
        kind: "branch",
        ref: world.env("GITHUB_REF"),
        defaultBranch: isText(defaultBranch) ? defaultBranch : null,
        isDeleted: at(payload, "deleted") === true,
      };
    }
    case "pull_request_target":
      throw new UsageError(
        "Cannot run on pull_request_target: the code of a fork would run with a token that may write. " +
          "Measure on pull_request, and let a second workflow comment on workflow_run",
      );
    case "":
      throw new UsageError("Cannot determine the event: GITHUB_EVENT_NAME is not set");
    default:
      throw new UsageError(
        `Cannot handle the event ${name}: the action supports pull_request, workflow_run, push, schedule and workflow_dispatch`,
      );
  }
}

/** Returns the value at a path such as `pull_request.base.sha`; undefined if it does not exist. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce((inner, name) => Object(inner)[name], value);
}

/**
 * Prints a message that GitHub shows next to the job:
 * https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 * Line ends and percent signs are escaped, so that no text can inject another command: `escapeData` in
 * https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
 */
export function tell(
  world: Pick<ActionContext, "say">,
  level: "notice" | "warning" | "error",
  text: string,
): void {
  const data = printable(text).replaceAll(/[%\r\n]/g, encodeURIComponent);
  world.say(`::${level} title=Stampede::${data}`);
}

/** Sets outputs of the step. A random delimiter prevents a value from setting other outputs. */
export async function setOutputs(
  world: ActionContext,
  outputs: Readonly<Record<string, string>>,
): Promise<void> {
  const path = world.env("GITHUB_OUTPUT");
  if (path === "") return;
  const text = Object.entries(outputs).map(([name, value]) => {
    const delimiter = `stampede_${crypto.randomUUID()}`;
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
  }).join("");
  try {
    await Deno.writeTextFile(path, text, { append: true });
  } catch (error) {
    throw new Failure(`Cannot write to the file that GITHUB_OUTPUT names: ${messageOf(error)}`);
  }
}

/** Returns the exit code of a process. It is stopped after `timeoutMs`, and killed `graceMs` later. */
export async function endInTime(
  process: Deno.ChildProcess,
  { timeoutMs, graceMs }: { readonly timeoutMs: number; readonly graceMs: number },
  onLate: () => void,
): Promise<number> {
  const stop = setTimeout(() => {
    onLate();
    process.kill("SIGTERM");
  }, timeoutMs);
  const kill = setTimeout(() => process.kill("SIGKILL"), timeoutMs + graceMs);
  try {
    return (await process.status).code;
  } finally {
    clearTimeout(stop);
    clearTimeout(kill);
  }
}
