import { Failure, Interrupted, messageOf } from "../model/errors.ts";
import { INTERRUPTED } from "../model/exit_codes.ts";
import { hasEnded, type Launcher, launchersOf } from "../process/launchers.ts";

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
