/** Helpers that run real load generators and the driver of slices against test servers. */
import type { Slices } from "../../model/block.ts";
import type { Load } from "../../model/experiment.ts";
import type { Measurement } from "../../model/raw.ts";
import type { HttpRequest } from "../../model/scenario.ts";
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

/** Load generators that the tests of a file share, as the windows of a run do. Their warm-up is as asked. */
class Shared {
  readonly scope = new ProcessScope();
  readonly #shards = new Map<string, Shard<LoadJob, Measurement>>();
  readonly #running = new Map<string, RunningGenerator>();

  shardOf(generator: LoadGenerator): Shard<LoadJob, Measurement> {
    const shard = this.#shards.get(generator.id) ?? new Shard(this.scope, generator, null);
    this.#shards.set(generator.id, shard);
    return shard;
  }

  runningOf(generator: LoadGenerator): RunningGenerator {
    const timeouts = { freshWarmupS: 0, limitS: 60 };
    const running = this.#running.get(generator.id) ??
      new RunningGenerator(this.scope, generator, null, timeouts);
    this.#running.set(generator.id, running);
    return running;
  }
}

let made: Shared | null = null;
const shared = (): Shared => made ??= new Shared();
Deno.test.afterAll(async () => await made?.scope[Symbol.asyncDispose]());

/** One window, with its events. */
export interface Driven {
  readonly result: Measurement;
  readonly events: readonly string[];
}

/** A load, and the correct body of its responses. */
export interface Drive {
  readonly load: Partial<Load>;
  readonly expected: LoadJob["expected"];
}

/** Loads a server that answers "right" with one process of a generator, once for each load. */
export function drive(
  generator: LoadGenerator,
  port: number,
  ...loads: Partial<Load>[]
): Promise<Driven[]> {
  return driveEach(generator, port, loads.map((load) => ({ load, expected: { same: "right" } })));
}

/** Loads a server as {@linkcode drive} does, with other bodies as the correct ones. */
export async function driveEach(
  generator: LoadGenerator,
  port: number,
  drives: readonly Drive[],
): Promise<Driven[]> {
  const shard = shared().shardOf(generator);
  const driven: Driven[] = [];
  for (const { load, expected } of drives) {
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
  return await measure(generator, port, { load, expected: { same: "right" } });
}

/** Loads a server with all processes of a generator, with any request. */
export async function measure(
  generator: LoadGenerator,
  port: number,
  { load, expected, request = REQUEST }: Drive & { readonly request?: HttpRequest },
): Promise<Measurement> {
  return await shared().runningOf(generator).measure({
    origin: `http://127.0.0.1:${port}`,
    request,
    ...ONE_BY_ONE,
    expected,
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
  earlyS: readonly number[] = [],
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
    earlyS: earlyS[i] ?? 0,
    request: { method: "GET", path: "/", headers: {}, body: null },
    ...ONE_BY_ONE,
    expected: { same: "right" },
    ...talk,
  }));
  const rest = {
    approaches: false,
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
