import { Interrupted } from "../errors.ts";

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/** A signal that aborts when the person (or the system) asks the program to stop. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS) {
    Deno.addSignalListener(signal, () => {
      // Asked again while it is still clearing up: the minder does the rest.
      if (controller.signal.aborted) Deno.exit(130);
      controller.abort(new Interrupted(`Interrupted by ${signal}`));
    });
  }
  return controller.signal;
}
