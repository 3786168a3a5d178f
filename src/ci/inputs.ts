/** What the workflow says under `with:`. */
import { UsageError } from "../model/errors.ts";
import { type ActionContext, variable } from "./action_context.ts";

/** The action's inputs, read. */
export interface Inputs {
  /** Manifests, from the checkout's top. */
  readonly server: string;
  /** Files of scenarios. */
  readonly scenarioFiles: readonly string[];
  /** Ids of scenarios; none for all. */
  readonly scenarios: readonly string[];
  /** More arguments of `bench`. */
  readonly args: readonly string[];
  /** As `--fail-on` takes it; empty for no gate. */
  readonly failOn: string;
  /** After so many milliseconds a command of `bench` is stopped. */
  readonly timeoutMs: number;
  /** Tells the comments and artifacts of several workflows apart. */
  readonly id: string;
  readonly hasComment: boolean;
  /** The branch of data; empty for none. */
  readonly historyBranch: string;
  /** Reports that the branch holds at most. */
  readonly keep: number;
  readonly token: string;
}

/** The names in action.yml; each comes as a variable, so that no text of a workflow becomes shell. */
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

/** What an id may be: it stands in a comment's marker and in an artifact's name. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** Branches whose names git and a URL take as they are. */
const BRANCH = /^[A-Za-z0-9_][A-Za-z0-9_/-]{0,99}$/;

/** The variable that an input comes in. */
export function variableOf(name: typeof INPUT_NAMES[number]): string {
  return `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * Reads the inputs.
 *
 * @throws {UsageError} for one that cannot be.
 */
export function readInputs(world: ActionContext): Inputs {
  const input = (name: typeof INPUT_NAMES[number]): string =>
    variable(world, variableOf(name)).trim();
  const failOn = input("fail-on");
  return {
    server: input("server"),
    scenarioFiles: linesOf(input("scenario")),
    scenarios: wordsOf(input("scenarios")),
    args: wordsOf(input("args")),
    failOn: must("fail-on", failOn, failOn === "" || shareOf(failOn) !== null, "such as 5%"),
    timeoutMs: 60_000 * Number(
      must(
        "timeout-minutes",
        input("timeout-minutes") || "30",
        /^[1-9]\d{0,2}$/.test(input("timeout-minutes") || "30"),
        "1 to 999",
      ),
    ),
    id: must("id", input("id") || "stampede", ID.test(input("id") || "stampede"), ID.source),
    hasComment: must(
      "comment",
      input("comment"),
      /^(true|false|)$/.test(input("comment")),
      "true or false",
    ) !== "false",
    historyBranch: must(
      "history-branch",
      input("history-branch"),
      input("history-branch") === "" || BRANCH.test(input("history-branch")),
      BRANCH.source,
    ),
    keep: Number(
      must(
        "keep",
        input("keep") || "200",
        /^[1-9]\d{0,4}$/.test(input("keep") || "200"),
        "1 to 99999",
      ),
    ),
    token: input("token"),
  };
}

/** A percentage as a share: `5%` is 0.05; null for anything else. */
export function shareOf(text: string): number | null {
  const [, number] = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(text) ?? [];
  return number === undefined || Number(number) > 100 ? null : Number(number) / 100;
}

/** The words of a line of arguments: space separates them, unless it is quoted. */
export function wordsOf(text: string): string[] {
  return (text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [])
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

function must(name: string, value: string, isRight: boolean, what: string): string {
  if (isRight) return value;
  throw new UsageError(`Cannot use "${value}" as the input ${name}: it has to be ${what}`);
}
