import { Failure, Interrupted, messageOf } from "../model/errors.ts";
import { INTERRUPTED } from "../model/exit_codes.ts";
import { hasEnded, type Launcher, launchersOf } from "../process/launchers.ts";

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/** The real `Deno.exit`: it throws once a scenario file is loaded, because a scenario must not end the process. */
const exit = Deno.exit;

/**
 * A signal that comes later than this is meant: Ctrl-C reaches `deno task` too, which passes it on,
 * so that one key arrives twice.
 */
const AGAIN_MS = 1000;

/** How often it is looked whether `deno task` or npx is still there. */
const LOOK_MS = 1000;

/**
 * Listens for the signals that ask this process to stop: one listener for the whole process, from when
 * a command first asks for its signal.
 */
export class Interruption {
  /** As they are when this process begins: later some may have gone unseen. */
  readonly #launchers: readonly Launcher[] = launchersOf(Deno.pid);
  #controller: AbortController | null = null;

  /** Aborts at the first signal; the second ends the process, and the reaper clears up the rest. */
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
 * An error that nothing waits for ends what is under way in order, instead of everything at once: a scenario
 * file may throw one long after it was loaded.
 */
function endOnStray(controller: AbortController): void {
  const end = (event: Event, reason: unknown): void => {
    event.preventDefault();
    controller.abort(
      new Failure(
        `An error that nothing waited for, such as of a scenario file: ${messageOf(reason)}`,
      ),
    );
  };
  globalThis.addEventListener("error", (event) => end(event, event.error));
  globalThis.addEventListener("unhandledrejection", (event) => end(event, event.reason));
}

/**
 * A signal to npx, or one that kills `deno task`, does not arrive here: that they have gone is all that tells
 * of it. Nobody would then be left to stop this.
 */
function watch(launchers: readonly Launcher[], controller: AbortController): void {
  if (launchers.length === 0) return;
  const timer = setInterval(() => {
    const gone = launchers.find(hasEnded);
    if (gone === undefined) return;
    clearInterval(timer);
    controller.abort(new Interrupted(`Interrupted: ${gone.name}, which started it, has ended`));
  }, LOOK_MS);
  Deno.unrefTimer(timer);
}
