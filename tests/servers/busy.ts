/**
 * Stampede's own server, which waits busily for BUSY_US microseconds before each response. With the
 * arguments `loop US` it says how many microseconds such a wait takes in truth.
 */
import { createApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";

const TRIES = 300;
const CALLS = 1000;

/** By the clock rather than in steps, which a compiler makes quicker in a loop than in a server. */
function wait(us: number): void {
  if (us === 0) return;
  const endMs = performance.now() + us / 1000;
  while (performance.now() < endMs);
}

/** Microseconds that a call of `wait` takes: the best of many tries, since others use the processor too. */
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
  // deno-lint-ignore no-console -- its response
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
