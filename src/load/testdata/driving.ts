/** Helpers that run real load generators and the driver of slices against test servers. */
import type { Slices } from "../../model/block.ts";
import type { Load } from "../../model/experiment.ts";
import type { Measurement } from "../../model/raw.ts";
import { ProcessScope } from "../../process/scope.ts";
import { sharedNow } from "../../process/shared_clock.ts";
import { ONE_BY_ONE } from "../driver/load_client.ts";
import type { LoadGenerator, LoadJob, Talk } from "../generator.ts";
import { RunningGenerator } from "../running.ts";
import type { SlicesJob, SliceTarget } from "../driver/slices.ts";
import { Shard, Slicer } from "../shard.ts";
import { LOAD, serve, type TestHandler, type TestServer } from "./testing.ts";

const never = new AbortController().signal;

const REQUEST = { method: "GET", path: "/", headers: {}, body: null } as const;

/** One window, with its events. */
export interface Driven {
  readonly result: Measurement;
  readonly events: readonly string[];
}

/** Loads a server that answers "right" with one process of a generator, once for each load. */
export function drive(
  generator: LoadGenerator,
  port: number,
  ...loads: Partial<Load>[]
): Promise<Driven[]> {
  return driveWith(generator, port, { same: "right" }, ...loads);
}

/** Loads a server as {@linkcode drive} does, with another body as the correct one. */
export async function driveWith(
  generator: LoadGenerator,
  port: number,
  expected: LoadJob["expected"],
  ...loads: Partial<Load>[]
): Promise<Driven[]> {
  await using scope = new ProcessScope();
  await using shard = new Shard(scope, generator, null);
  const driven: Driven[] = [];
  for (const load of loads) {
    const events: string[] = [];
    const result = await shard.measure(
      {
        origin: `http://127.0.0.1:${port}`,
        request: REQUEST,
        ...ONE_BY_ONE,
        expected,
        load: { ...LOAD, ...load },
        opensAtMs: sharedNow() + 1000 * (load.warmupS ?? LOAD.warmupS),
      },
      {
        limitS: 60,
        abort: new AbortController().signal,
        listener: {
          opened: () => void events.push("opened"),
          closed: () => void events.push("closed"),
        },
      },
    );
    driven.push({ result, events });
  }
  return driven;
}

/** Loads a server that answers "right" with all processes of a generator. */
export async function driveAll(
  generator: LoadGenerator,
  port: number,
  load: Partial<Load>,
): Promise<Measurement> {
  await using scope = new ProcessScope();
  const timeouts = { freshWarmupS: 0, limitS: 60 };
  await using running = new RunningGenerator(scope, generator, null, timeouts);
  return await running.measure({
    origin: `http://127.0.0.1:${port}`,
    request: REQUEST,
    ...ONE_BY_ONE,
    expected: { same: "right" },
    load: { ...LOAD, ...load },
  }, never);
}

/** Slices without the usage of processes. */
export type TestSlices = Omit<Slices, "usage">;

/**
 * Measures slices of several servers: one in this process for each handler, or an existing
 * server.
 */
export async function sliced(
  handlers: readonly (TestHandler | TestServer)[],
  change: Partial<SlicesJob> = {},
  awake: readonly number[] = [],
  talk: Partial<Talk> = {},
): Promise<TestSlices> {
  await using scope = new ProcessScope();
  await using slicer = new Slicer(scope, null, awake);
  await using servers = new AsyncDisposableStack();
  const targets = handlers.map((handler, i): SliceTarget => ({
    variant: `variant-${i}`,
    origin: `http://127.0.0.1:${
      servers.use(typeof handler === "function" ? serve(handler) : handler).port
    }`,
    pid: Deno.pid,
    request: { method: "GET", path: "/", headers: {}, body: null },
    ...ONE_BY_ONE,
    expected: { same: "right" },
    ...talk,
  }));
  const rest = {
    connections: 3,
    timeoutS: 1,
    warmupS: 0,
    mostWarmupS: 0,
    durationS: 0.2,
    sliceMs: 10,
  };
  const job = { targets, ...rest, sliceResponses: 20, seed: 1, ...change };
  return await slicer.measure(job, never);
}
