/**
 * Stampede's own server with a busy wait of BUSY_US microseconds before each response. With the arguments
 * `loop US` it prints the actual length of such a wait.
 */
import { createApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";

const TRIES = 300;
const CALLS = 1000;

/** Waits by the clock. Counted steps would be optimised differently in a loop and in a server. */
function wait(us: number): void {
  if (us === 0) return;
  const endMs = performance.now() + us / 1000;
  while (performance.now() < endMs);
}

/**
 * Returns the microseconds of a call of `wait`: the best of many attempts, because other programs use the
 * processor too.
 */
function microsecondsOf(us: number): number {
  let bestMs = Infinity;
  for (let tried = 0; tried < TRIES; tried++) {
    const startMs = performance.now();
    for (let i = 0; i < CALLS; i++) wait(us);
    bestMs = Math.min(bestMs, performance.now() - startMs);
  }
  return 1000 * bestMs / CALLS;
}

if (Deno.args[0] === "loop") {
  // deno-lint-ignore no-console -- its output
  console.log(microsecondsOf(Number(Deno.args[1])));
} else {
  const config = readConfig((name) => Deno.env.get(name));
  const app = createApp(config);
  const us = Number(Deno.env.get("BUSY_US"));
  Deno.serve({ hostname: config.host, port: config.port, onListen: () => {} }, (request) => {
    wait(us);
    return app.fetch(request);
  });
}
