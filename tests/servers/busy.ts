/**
 * Stampede's own server, which takes BUSY_STEPS steps of computing before each answer, or as many as take
 * BUSY_US microseconds. With the argument `loop` it says how many steps take a microsecond instead.
 */
import { createApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";

const TRIES = 500;
const BATCH = 100_000;

let state = 1;
function spin(steps: number): void {
  for (let i = 0; i < steps; i++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
}

/** Steps of `spin` in a microsecond: the best of many tries, since others use the processor too. */
function stepsPerUs(): number {
  let bestMs = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const startMs = performance.now();
    spin(BATCH);
    bestMs = Math.min(bestMs, performance.now() - startMs);
  }
  return BATCH / bestMs / 1000;
}

if (Deno.args[0] === "loop") {
  // deno-lint-ignore no-console -- its answer
  console.log(stepsPerUs());
} else {
  const config = readConfig((name) => Deno.env.get(name));
  const app = createApp(config);
  const { BUSY_STEPS, BUSY_US } = Deno.env.toObject();
  const steps = BUSY_STEPS === undefined
    ? Math.round(Number(BUSY_US) * stepsPerUs())
    : Number(BUSY_STEPS);
  Deno.serve({ hostname: config.host, port: config.port, onListen: () => {} }, (request) => {
    spin(steps);
    return app.fetch(request);
  });
}
