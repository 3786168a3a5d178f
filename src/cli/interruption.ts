import { Interrupted } from "../model/errors.ts";

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * A signal that comes later than this is meant: Ctrl-C reaches `deno task` too, which passes it on,
 * so that one key arrives twice.
 */
const AGAIN_MS = 1000;

/** A signal that aborts when the person (or the system) asks the program to stop. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  let firstMs = 0;
  for (const signal of SIGNALS) {
    Deno.addSignalListener(signal, () => {
      if (!controller.signal.aborted) {
        firstMs = performance.now();
        controller.abort(new Interrupted(`Interrupted by ${signal}`));
      } else if (performance.now() - firstMs > AGAIN_MS) {
        Deno.exit(130); // The reaper clears up the rest.
      }
    });
  }
  return controller.signal;
}
