/**
 * The action's surroundings: environment, log, outputs and processes.
 * https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
import { Failure, messageOf } from "../model/errors.ts";
import { printable } from "../model/text.ts";

/** The functions by which the action reaches its surroundings. Tests replace them. */
export interface ActionContext {
  /** Returns an environment variable, or the empty text. */
  env(name: string): string;
  /** Prints a line to the job's log. Lines that begin with `::` are commands. */
  say(line: string): void;
  /**
   * Runs a command of `bench` in a folder and returns its exit code. Its output goes to the job's log.
   * After the timeout, in milliseconds, the command is asked to stop, and soon after killed.
   */
  bench(args: readonly string[], folder: string, timeoutMs: number): Promise<number>;
  /** Waits for a number of milliseconds. */
  pause(ms: number): Promise<void>;
  /** Timeout of a request to GitHub, in milliseconds. */
  readonly timeoutMs: number;
}

/** Severity of a message. GitHub shows messages next to the job. */
type Level = "notice" | "warning" | "error";

/**
 * Returns a message as a command of the log. Line ends and percent signs are escaped as in the runner's own
 * library (`escapeData` in https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts), so
 * that no text can inject another command.
 */
export function messageCommand(level: Level, text: string): string {
  const data = printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
  return `::${level} title=Stampede::${data}`;
}

/** Prints a message that GitHub shows next to the job. */
export function tell(world: ActionContext, level: Level, text: string): void {
  world.say(messageCommand(level, text));
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

/**
 * Waits for a process and returns its exit code. After `timeoutMs` it is asked to stop, and after
 * further `graceMs` killed, both in milliseconds. Calls `onLate` once, at the timeout.
 */
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
