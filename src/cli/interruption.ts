import { Failure, INTERRUPTED, Interrupted, messageOf } from "../model/errors.ts";
import { readText } from "../process/files.ts";

/**
 * A process that started another program for the user and waits for it, such as `deno task` or npx.
 */
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

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * The real `Deno.exit`. Loading a scenario file replaces `Deno.exit` with a function that throws,
 * because a scenario must not end the process.
 */
const exit = Deno.exit;

/**
 * Time after the first signal in which a second signal is ignored, in milliseconds. One Ctrl-C arrives
 * twice, because `deno task` passes it on.
 */
const AGAIN_MS = 1000;

/** Interval between checks whether `deno task` or npx is still running, in milliseconds. */
const LOOK_MS = 1000;

/**
 * Listens for the signals that stop this process. Listening begins when a command first reads `signal`.
 */
export class Interruption {
  /**
   * The processes that started this one: `deno task` or npx. They are found at the start, because an
   * ended process can no longer be found.
   */
  readonly #launchers: readonly Launcher[] = launchersOf(Deno.pid);
  #controller: AbortController | null = null;

  /**
   * Aborts at the first signal. The second one ends this process. The reaper, a separate process, then stops
   * the programs of the run and removes its temporary folders.
   */
  get signal(): AbortSignal {
    this.#controller ??= listen(this.#launchers);
    return this.#controller.signal;
  }
}

function listen(launchers: readonly Launcher[]): AbortController {
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
  watch(launchers, controller);
  endOnStray(controller);
  return controller;
}

/**
 * Turns uncaught errors into an orderly stop. Code of a scenario file may throw one long after the
 * file was loaded.
 */
function endOnStray(controller: AbortController): void {
  const end = (event: Event, reason: unknown): void => {
    event.preventDefault();
    controller.abort(
      new Failure(
        `Uncaught error, probably in a scenario file: ${messageOf(reason)}`,
      ),
    );
  };
  globalThis.addEventListener("error", (event) => end(event, event.error));
  globalThis.addEventListener("unhandledrejection", (event) => end(event, event.reason));
}

/**
 * Stops the run if npx or `deno task` has ended: signals to them do not reach this process.
 */
function watch(launchers: readonly Launcher[], controller: AbortController): void {
  if (launchers.length === 0) return;
  const timer = setInterval(() => {
    const gone = launchers.find(hasEnded);
    if (gone === undefined) return;
    clearInterval(timer);
    controller.abort(
      new Interrupted(`Interrupted: ${gone.name}, which started Stampede, has ended`),
    );
  }, LOOK_MS);
  Deno.unrefTimer(timer);
}
