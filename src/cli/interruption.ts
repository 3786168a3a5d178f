import { Interrupted } from "../model/errors.ts";

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * A signal that comes later than this is meant: Ctrl-C reaches `deno task` too, which passes it on,
 * so that one key arrives twice.
 */
const AGAIN_MS = 1000;

/**
 * Listens for the signals that ask this process to stop: one listener for the whole process, from when
 * a command first asks for its signal.
 */
export class Interruption {
  #controller: AbortController | null = null;

  /** Aborts at the first signal; the second ends the process, and the reaper clears up the rest. */
  get signal(): AbortSignal {
    this.#controller ??= listen();
    return this.#controller.signal;
  }
}

function listen(): AbortController {
  const controller = new AbortController();
  let firstMs = 0;
  for (const signal of SIGNALS) {
    Deno.addSignalListener(signal, () => {
      if (!controller.signal.aborted) {
        firstMs = performance.now();
        controller.abort(new Interrupted(`Interrupted by ${signal}`));
      } else if (performance.now() - firstMs > AGAIN_MS) {
        Deno.exit(130);
      }
    });
  }
  return controller;
}
