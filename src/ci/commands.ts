/**
 * Sends commands to the runner: messages in the job's log, and outputs in a file.
 * https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */

import { Failure, messageOf } from "../model/errors.ts";
import { printable } from "../model/text.ts";
import { type ActionContext, variable } from "./event.ts";

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

/**
 * Sets outputs of the step. A random delimiter prevents a value from setting other outputs.
 *
 * @throws {Failure} if the runner's file cannot be written.
 */
export async function setOutputs(
  world: ActionContext,
  outputs: Readonly<Record<string, string>>,
): Promise<void> {
  const text = Object.entries(outputs).map(([name, value]) => {
    const delimiter = `stampede_${crypto.randomUUID()}`;
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
  }).join("");
  const path = variable(world, "GITHUB_OUTPUT");
  if (path === "") return;
  try {
    await Deno.writeTextFile(path, text, { append: true });
  } catch (error) {
    throw new Failure(`Cannot write to the file that GITHUB_OUTPUT names: ${messageOf(error)}`);
  }
}

/** Limits the time of processes that the action starts. */

/**
 * Waits for a process. After the timeout it is asked to stop, and later killed.
 *
 * @param timeoutMs milliseconds until it is asked to stop
 * @param graceMs further milliseconds until it is killed
 * @param onLate called once, at the timeout
 * @returns its exit code
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
