/** Reads the inputs from the workflow's `with:`. */
import { UsageError } from "../model/errors.ts";
import type { ActionContext } from "./runner.ts";

/** The action's inputs. */
export interface Inputs {
  /** Path of the server's manifest, relative to the checkout. */
  readonly server: string;
  /** Paths of scenario files, relative to the checkout. */
  readonly scenarioFiles: readonly string[];
  /** Ids of scenarios; empty means all. */
  readonly scenarios: readonly string[];
  /** Further arguments of `bench`, as the user wrote them. */
  readonly args: readonly string[];
  /** Value of `--fail-on`; empty without a gate. */
  readonly failOn: string;
  /** Timeout of a command of `bench`, in milliseconds. */
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

/**
 * Names of the inputs in action.yml. action.yml passes each input as an environment variable, so that
 * no text becomes shell code.
 */
export const INPUT_NAMES = [
  "server",
  "scenario",
  "scenarios",
  "args",
  "fail-on",
  "timeout-minutes",
  "id",
  "comment",
  "history-branch",
  "keep",
  "token",
] as const;

/** Allowed form of an id, which is part of a comment's marker and of an artifact's name. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** Allowed form of a branch name: such names need no escaping in git commands and URLs. */
const BRANCH = /^[A-Za-z0-9_][A-Za-z0-9_/-]{0,99}$/;

/** Returns the name of the environment variable of an input. */
export function variableOf(name: typeof INPUT_NAMES[number]): string {
  return `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** Reads the inputs; throws a {@linkcode UsageError} if one is invalid. */
export function readInputs(world: ActionContext): Inputs {
  const input = (name: typeof INPUT_NAMES[number]): string => world.env(variableOf(name)).trim();
  const valid = (
    name: typeof INPUT_NAMES[number],
    isValid: (value: string) => boolean,
    what: string,
    fallback = "",
  ): string => {
    const value = input(name) || fallback;
    if (value === fallback || isValid(value)) return value;
    throw new UsageError(`Cannot use "${value}" as the input ${name}: it must be ${what}`);
  };
  const matching = (pattern: RegExp) => (value: string): boolean => pattern.test(value);
  return {
    server: input("server"),
    scenarioFiles: input("scenario").split("\n").map((line) => line.trim())
      .filter((line) => line !== ""),
    scenarios: wordsOf(input("scenarios")),
    args: wordsOf(input("args")),
    failOn: valid("fail-on", (value) => shareOf(value) !== null, "such as 5%"),
    timeoutMs: 60_000 *
      Number(valid("timeout-minutes", matching(/^[1-9]\d{0,2}$/), "1 to 999", "30")),
    id: valid("id", matching(ID), ID.source, "stampede"),
    hasComment: valid("comment", matching(/^(true|false)$/), "true or false") !== "false",
    historyBranch: valid("history-branch", matching(BRANCH), BRANCH.source),
    keep: Number(valid("keep", matching(/^[1-9]\d{0,4}$/), "1 to 99999", "200")),
    token: input("token"),
  };
}

/** Returns a percentage as a share: `5%` is 0.05; null for other texts. */
export function shareOf(text: string): number | null {
  const [, number] = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(text) ?? [];
  return number === undefined || Number(number) > 100 ? null : Number(number) / 100;
}

/** Splits a line of arguments at spaces, except within quotes. */
export function wordsOf(text: string): string[] {
  return (text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [])
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}
