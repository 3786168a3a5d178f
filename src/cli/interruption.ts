/** Stops the program in order: at signals, when its launcher has ended, and at stray errors. */
import { Failure, INTERRUPTED, Interrupted, messageOf } from "../model/errors.ts";
import { readText } from "../process/files.ts";

/** A process that started another one for the user and waits for it, such as `deno task` or npx. */
interface Launcher {
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
  ["the launcher", /^(\S*\/)?node (\S+ )*\S*\/stampede[\w.-]*( |$)/],
  [SHELL, /^(\S*\/)?(ba|da|k|z)?sh -c /],
];

/** Returns the launchers that started a process, the nearest first; none on systems other than Linux. */
export function launchersOf(pid: number): Launcher[] {
  const launchers: Launcher[] = [];
  for (let one = statOf(pid)?.parent ?? 0; one > 1;) {
    const command = readText(`/proc/${one}/cmdline`)?.replaceAll("\0", " ").trim() ?? "";
    const stat = statOf(one);
    const [name] = LAUNCHERS.find(([, known]) => known.test(`${command} `)) ?? [];
    if (stat === null || name === undefined) break;
    launchers.push({ pid: one, startTicks: stat.startTicks, name });
    one = stat.parent;
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

/** Reads a process's line: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number): { state: string; parent: number; startTicks: string } | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The fields after the name, which may contain any character
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent = "0"] = fields;
  return { state, parent: Number(parent), startTicks: fields[19] ?? "" };
}

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/** The real `Deno.exit`. After a scenario file is loaded, `Deno.exit` throws. */
const exit = Deno.exit;

/** Milliseconds in which a second signal is ignored: `deno task` passes each Ctrl-C on. */
const AGAIN_MS = 1000;
/** Milliseconds between checks whether `deno task` or npx is still running. */
const LOOK_MS = 1000;

/**
 * Returns a function that listens for signals from its first call, and returns an AbortSignal. The first
 * signal aborts it. The second one ends this process; the reaper then cleans up.
 */
export function interruption(): () => AbortSignal {
  const launchers = launchersOf(Deno.pid); // now, because an ended process cannot be found
  let signal: AbortSignal | null = null;
  return () => signal ??= listen(launchers);
}

function listen(launchers: readonly Launcher[]): AbortSignal {
  const controller = new AbortController();
  let firstMs = 0;
  for (const signal of SIGNALS) {
    Deno.addSignalListener(signal, () => {
      if (!controller.signal.aborted) {
        firstMs = performance.now();
        controller.abort(new Interrupted(`Interrupted by ${signal}`));
      } else if (performance.now() - firstMs > AGAIN_MS) {
        exit(INTERRUPTED);
      }
    });
  }
  if (launchers.length > 0) watch(launchers, controller);
  // Code of a scenario file may throw long after the file was loaded
  const end = (event: Event, reason: unknown): void => {
    event.preventDefault();
    const problem = `Uncaught error, probably in a scenario file: ${messageOf(reason)}`;
    controller.abort(new Failure(problem));
  };
  globalThis.addEventListener("error", (event) => end(event, event.error));
  globalThis.addEventListener("unhandledrejection", (event) => end(event, event.reason));
  return controller.signal;
}

/** Stops the run if npx or `deno task` has ended: signals to them do not reach this process. */
function watch(launchers: readonly Launcher[], controller: AbortController): void {
  const timer = setInterval(() => {
    const gone = launchers.find(hasEnded);
    if (gone === undefined) return;
    clearInterval(timer);
    const what = `Interrupted: ${gone.name}, which started Stampede, has ended`;
    controller.abort(new Interrupted(what));
  }, LOOK_MS);
  Deno.unrefTimer(timer);
}
