import { readText } from "./files.ts";

/**
 * A process that started another program for the user and waits for it, such as `deno task` or npx.
 */
export interface Launcher {
  readonly pid: number;
  /** Start time in clock ticks. It distinguishes the process from a later one with the same id. */
  readonly startTicks: string;
  /** Name without arguments, because those may contain secrets. */
  readonly name: string;
}

const SHELL = "sh";
/** Programs that start a command for a user and then wait for it, and the shells that they use. */
const LAUNCHERS: readonly (readonly [name: string, command: RegExp])[] = [
  ["deno task", /^(\S*\/)?deno (\S+ )*task /],
  ["npm", /^npm (exec|run|run-script|start|x)\b/], // the process titles of npm and npx
  ["npm", /^(\S*\/)?node (\S+ )*\S*\/(npx|npm|deno)[\w.-]*( |$)/],
  [SHELL, /^(\S*\/)?(ba|da|k|z)?sh -c /],
];

/**
 * Returns the launchers that started a process, such as `deno task` and npx.
 *
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 *
 * @returns the nearest first; an empty list on systems other than Linux
 */
export function launchersOf(pid: number): Launcher[] {
  const launchers: Launcher[] = [];
  for (let one = parentOf(pid); one > 1; one = parentOf(one)) {
    const command = readText(`/proc/${one}/cmdline`)?.replaceAll("\0", " ").trim() ?? "";
    const startTicks = statOf(one)?.startTicks;
    const [name] = LAUNCHERS.find(([, known]) => known.test(`${command} `)) ?? [];
    if (startTicks === undefined || name === undefined) break;
    launchers.push({ pid: one, startTicks, name });
  }
  // An outermost shell belongs to the user or to a script
  while (launchers.at(-1)?.name === SHELL) launchers.pop();
  return launchers;
}

/** Returns whether a launcher has ended: its process is gone, replaced or a zombie. */
export function hasEnded({ pid, startTicks }: Launcher): boolean {
  const stat = statOf(pid);
  return stat === null || stat.startTicks !== startTicks || stat.state === "Z";
}

function parentOf(pid: number): number {
  return statOf(pid)?.parent ?? 0;
}

function statOf(pid: number): { state: string; parent: number; startTicks: string } | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The fields after the name, which may contain any character
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent = "0"] = fields;
  return { state, parent: Number(parent), startTicks: fields[19] ?? "" };
}
