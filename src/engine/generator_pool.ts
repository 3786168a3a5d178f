import { UsageError } from "../model/errors.ts";
import { BUILT_IN_GENERATOR } from "../experiment/options.ts";
import { findGenerator, type FoundGenerator, type MissingGenerator } from "../load/find.ts";
import { ONE_BY_ONE } from "../load/driver/load_client.ts";
import type { LoadGenerator, WindowJob, WindowListener } from "../load/generator.ts";
import { GENERATORS } from "../load/generator_list.ts";
import { RunningGenerator } from "../load/running.ts";
import { checkOpenLoop } from "../load/open_check.ts";
import { Slicer, type SlicesJob } from "../load/slicer.ts";
import type { Slices } from "../model/block.ts";
import type { Load, OpenLoad } from "../model/experiment.ts";
import type { Ceiling, Measurement } from "../model/raw.ts";
import type { Pinning } from "../model/report.ts";
import type { OpenCheck } from "../model/open_loop_result.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { ProcessScope } from "../process/scope.ts";
import { UsageMeter } from "../target/usage.ts";
import { Ceilings } from "./ceiling.ts";
import type { Generators } from "./testbed.ts";

/** A load generator and its installation on this machine. */
export interface GeneratorStatus {
  readonly generator: LoadGenerator;
  readonly found: FoundGenerator | MissingGenerator;
}

/** A load generator that is installed on this machine. */
export interface PresentGenerator extends GeneratorStatus {
  readonly found: FoundGenerator;
}

/** Canned response for measuring ceilings: the response of the scenario `text`. */
const RESPONSE: HttpResponse = {
  status: 200,
  headers: new Headers({ "content-type": "text/plain;charset=UTF-8", connection: "keep-alive" }),
  text: "Hello world",
};
const REQUEST = { method: "GET", path: "/", headers: {}, body: null } as const;

/** Returns every load generator, the default first. */
export async function findGenerators(): Promise<GeneratorStatus[]> {
  return await Promise.all(
    GENERATORS.map(async (generator) => ({ generator, found: await findGenerator(generator.id) })),
  );
}

/** Returns whether a load generator is installed. */
export function isPresent(status: GeneratorStatus): status is PresentGenerator {
  return "version" in status.found;
}

/**
 * Returns one load generator by its id.
 *
 * @throws {UsageError} if the id is unknown, or if the generator is not installed (with how to install it).
 */
export function presentGenerator(all: readonly GeneratorStatus[], id: string): PresentGenerator {
  const status = all.find(({ generator }) => generator.id === id);
  if (status === undefined) throw new UsageError(`There is no load generator "${id}"`);
  if (isPresent(status)) return status;
  const { install } = status.found as MissingGenerator;
  throw new UsageError(`The load generator ${id} is not installed: ${install}`);
}

/**
 * Measures the rate that a load generator reaches against the null server, with responses as small
 * as those of the scenario `text`.
 */
export async function ceilingOf(
  scope: ProcessScope,
  { generator }: PresentGenerator,
  load: Pick<Load, "connections" | "shards">,
  signal: AbortSignal,
): Promise<Ceiling> {
  await using running = new RunningGenerator(scope, generator);
  const ceilings = new Ceilings({ scope, generator: running, cpus: null });
  const rest = {
    warmupS: 0,
    mostWarmupS: 0,
    durationS: 1,
    responses: null,
    timeoutS: 10,
    open: null,
  };
  const plan = { ...load, ...rest };
  const job = { origin: "", request: REQUEST, ...ONE_BY_ONE, load: plan, body: null };
  return await ceilings.of(job, RESPONSE, signal) as Ceiling;
}

/** Runs the load generators of a run and keeps their ceilings. */
export class GeneratorPool implements Generators {
  readonly #scope: ProcessScope;
  readonly #pinning: Pinning | null;
  readonly #databasePid: number | null;
  readonly #slicer: Slicer;
  readonly #all: ReadonlyMap<
    string,
    { generator: LoadGenerator; running: RunningGenerator; ceilings: Ceilings }
  >;
  /**
   * Generator for the second load that some scenarios have during their window; null until it is
   * first needed.
   */
  #beside: RunningGenerator | null = null;

  /**
   * @param awakeCpus processors that are kept from sleeping while slices are measured
   * @param databasePid main process of the database, to measure its CPU time; null if unknown
   */
  constructor(
    scope: ProcessScope,
    generators: readonly PresentGenerator[],
    pinning: Pinning | null,
    awakeCpus: readonly number[] = [],
    databasePid: number | null = null,
  ) {
    this.#databasePid = databasePid;
    this.#scope = scope;
    this.#pinning = pinning;
    this.#slicer = new Slicer(scope, { driver: pinning?.generator ?? null, awake: awakeCpus });
    this.#all = new Map(generators.map(({ generator }) => {
      const running = new RunningGenerator(scope, generator, pinning?.generator ?? null);
      const context = { scope, generator: running, cpus: pinning?.server ?? null };
      return [generator.id, { generator, running, ceilings: new Ceilings(context) }];
    }));
  }

  measure(
    id: string,
    job: WindowJob,
    signal: AbortSignal,
    listener: WindowListener,
  ): Promise<Measurement> {
    return this.#of(id).running.measure(job, signal, listener);
  }

  measureBeside(job: WindowJob, signal: AbortSignal): Promise<Measurement> {
    this.#beside ??= new RunningGenerator(
      this.#scope,
      this.#of(BUILT_IN_GENERATOR).generator,
      this.#pinning?.generator ?? null,
    );
    return this.#beside.measure(job, signal);
  }

  ceiling(
    id: string,
    job: WindowJob,
    response: HttpResponse,
    signal: AbortSignal,
  ): Promise<Ceiling | null> {
    return this.#of(id).ceilings.of(job, response, signal);
  }

  checkOpenLoop(open: OpenLoad, connections: number, signal: AbortSignal): Promise<OpenCheck> {
    const { running } = this.#of(BUILT_IN_GENERATOR);
    const context = { scope: this.#scope, generator: running, cpus: this.#pinning?.server ?? null };
    return checkOpenLoop(context, open, connections, signal);
  }

  async slices(job: SlicesJob, signal: AbortSignal): Promise<Slices> {
    const meter = new UsageMeter({
      server: job.targets.flatMap(({ pid }) => pid ?? []),
      database: this.#databasePid === null ? [] : [this.#databasePid],
      generator: this.#slicer.pids,
    });
    meter.open();
    const slices = await this.#slicer.measure(job, signal);
    meter.close();
    return { ...slices, usage: meter.usage };
  }

  #of(id: string): { generator: LoadGenerator; running: RunningGenerator; ceilings: Ceilings } {
    const one = this.#all.get(id);
    if (one === undefined) throw new RangeError(`There is no load generator "${id}" in this run`);
    return one;
  }

  /** Ends all generators. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#slicer[Symbol.asyncDispose]();
    await this.#beside?.[Symbol.asyncDispose]();
    for (const { running } of this.#all.values()) await running[Symbol.asyncDispose]();
  }
}
