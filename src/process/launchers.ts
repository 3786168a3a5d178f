import { readText } from "./tree.ts";

/** A process, told apart from a later one of the same id by when it started. */
export interface Launcher {
  readonly pid: number;
  readonly startTicks: string;
  /** What it is, without its arguments, which may be secrets. */
  readonly name: string;
}

const SHELL = "sh";
/** What starts a program for a person and then only waits for it, and the shells that these start. */
const LAUNCHERS: readonly (readonly [name: string, command: RegExp])[] = [
  ["deno task", /^(\S*\/)?deno (\S+ )*task /],
  ["npm", /^npm (exec|run|run-script|start|x)\b/], // how npm and npx call themselves
  ["npm", /^(\S*\/)?node (\S+ )*\S*\/(npx|npm|deno)[\w.-]*( |$)/],
  [SHELL, /^(\S*\/)?(ba|da|k|z)?sh -c /],
];

/**
 * The programs that a process was started by for a person, such as `deno task` and npx, the nearest first.
 * Only Linux tells. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
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
  // A shell above the others is the person's, or a script's
  while (launchers.at(-1)?.name === SHELL) launchers.pop();
  return launchers;
}

/** Whether a launcher has ended: another has its id, or it waits to be buried. */
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
  // Behind the name, which may hold anything
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent = "0"] = fields;
  return { state, parent: Number(parent), startTicks: fields[19] ?? "" };
}
