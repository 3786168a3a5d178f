import type { GeneratorOf } from "../experiment/planner.ts";
import type { RunEvent } from "../model/events.ts";
import type { Experiment, Load, OpenLoad, Variant } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Generators } from "./generator_pool.ts";
import type { Recorder } from "./recorder.ts";
import type { Servers } from "./servers.ts";
import type { OpenTestbed } from "./testbed.ts";

/**
 * What is needed to measure an experiment. All functions that measure throw a `Failure` if nothing
 * more can be measured, and the signal's reason if it is aborted.
 */
export interface RunContext {
  readonly experiment: Experiment;
  readonly testbed: OpenTestbed;
  readonly emit: Emit<RunEvent>;
  /** Ends the run early. */
  readonly signal: AbortSignal;
  /** Variants that can be measured. */
  readonly variants: readonly Variant[];
  /** The reference; null if the experiment has none, or if it cannot be measured. */
  readonly reference: Variant | null;
  readonly generatorOf: GeneratorOf;
  readonly pool: Generators;
  readonly servers: Servers;
  readonly recorder: Recorder;
  /** Emits a report of the measurements so far; `complete`: whether the run finished its plan. */
  report(complete: boolean): Promise<void>;
  /** Returns the milliseconds of a monotonic clock. */
  nowMs(): number;
}

/** What a run has before its servers are prepared. */
export type RunStart = Pick<RunContext, "experiment" | "testbed" | "emit" | "signal">;

export function variantById({ variants, reference }: RunContext, id: string): Variant {
  return (reference?.id === id ? reference : variants.find((one) => one.id === id)) as Variant;
}

export function scenarioById({ experiment }: RunContext, id: string): Scenario {
  return experiment.scenarios.find((one) => one.id === id) as Scenario;
}

/** Compares the open loop with queueing theory at one rate, in about 4 s, and records it. */
export async function checkOpenLoop(
  { emit, pool, recorder, signal }: RunContext,
  { open, connections }: Pick<Load, "connections"> & { readonly open: OpenLoad },
): Promise<void> {
  await emit({ kind: "phase", phase: { kind: "open-check", perS: open.perS } });
  recorder.add("openChecks", await pool.checkOpenLoop(open, connections, signal));
}

/** Passes a value to the consumer and settles after the consumer has handled it. */
type Emit<T> = (value: T) => Promise<void>;

/**
 * Yields the events that a task emits, and then throws its error. `emit` settles when the consumer
 * asks for the next event, so nothing is measured while a report is written. If the consumer leaves
 * the loop early, the task is aborted and awaited.
 */
export async function* stream<T>(
  signal: AbortSignal,
  task: (emit: Emit<T>, signal: AbortSignal) => Promise<void>,
): AsyncGenerator<T, void> {
  const abandoned = new AbortController();
  const queue: { readonly value: T; readonly handled: () => void }[] = [];
  let wake = Promise.withResolvers<void>();
  let isDone = false;
  const emit = (value: T): Promise<void> => {
    if (abandoned.signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push({ value, handled: resolve });
    wake.resolve();
    return promise;
  };
  const running = task(emit, AbortSignal.any([signal, abandoned.signal])).finally(() => {
    isDone = true;
    wake.resolve();
  });
  running.catch(() => {}); // thrown below, after the last event
  try {
    while (!isDone || queue.length > 0) {
      const [next] = queue;
      if (next === undefined) {
        await wake.promise;
        wake = Promise.withResolvers();
        continue;
      }
      yield next.value;
      queue.shift()?.handled();
    }
  } finally {
    abandoned.abort(new Error("The consumer stopped reading events"));
    for (const { handled } of queue) handled();
    await running.catch(() => {});
  }
  await running;
}
