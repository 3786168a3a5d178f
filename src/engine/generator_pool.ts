import { successesOf } from "../model/figures.ts";
import { UsageError } from "../model/errors.ts";
import { BUILT_IN_GENERATOR } from "../experiment/options.ts";
import {
  findGenerator,
  type FoundGenerator,
  GENERATORS,
  type MissingGenerator,
} from "../load/generator_list.ts";
import { ONE_BY_ONE } from "../load/driver/load_client.ts";
import type { LoadGenerator, WindowJob, WindowListener } from "../load/generator.ts";
import { RunningGenerator } from "../load/running.ts";
import { startNullServer } from "../load/null_server.ts";
import { checkOpenLoop, type OpenCheckContext } from "../load/open_check.ts";
import { Slicer, type SlicesJob } from "../load/shard.ts";
import type { Slices } from "../model/block.ts";
import type { Load, OpenLoad } from "../model/experiment.ts";
import type { Ceiling, Measurement } from "../model/raw.ts";
import type { Pinning } from "../model/report.ts";
import type { OpenCheck } from "../model/derived.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { ProcessScope } from "../process/scope.ts";
import { UsageMeter } from "../target/usage.ts";

/** A load generator and its installation on this machine. */
export interface GeneratorStatus {
  readonly generator: LoadGenerator;
  readonly found: FoundGenerator | MissingGenerator;
}

/** A load generator that is installed on this machine. */
export interface PresentGenerator extends GeneratorStatus {
  readonly found: FoundGenerator;
}

/** The load generators that pilot windows have chosen, by the key of {@linkcode choiceKey}. */
export interface GeneratorChoices {
  /** Returns the id of the chosen load generator, or undefined if none was chosen. */
  get(key: string): string | undefined;
  /** Stores choices for later runs. If they cannot be written, they are lost without an error. */
  keep(choices: ReadonlyMap<string, string>): Promise<void>;
}

/** Running load generators, by id. */
export interface Generators extends AsyncDisposable {
  /** Drives one window. */
  measure(
    id: string,
    job: WindowJob,
    signal: AbortSignal,
    listener: WindowListener,
  ): Promise<Measurement>;
  /**
   * Drives the second load that a scenario may have during its window, with the generator
   * `stampede`.
   */
  measureBeside(job: WindowJob, signal: AbortSignal): Promise<Measurement>;
  /** Loads several running servers in turn, with the generator `stampede`. */
  slices(job: SlicesJob, signal: AbortSignal): Promise<Slices>;
  /** Measures the open loop against a server with response times known from theory. */
  checkOpenLoop(open: OpenLoad, connections: number, signal: AbortSignal): Promise<OpenCheck>;
  /** Returns a generator's ceiling for a job; null if it cannot be measured. */
  ceiling(
    id: string,
    job: WindowJob,
    response: HttpResponse,
    signal: AbortSignal,
  ): Promise<Ceiling | null>;
}

/** Warm-up before the window of a ceiling measurement, in seconds. */
const CEILING_WARMUP_S = 0.5;
/** Length of the window of a ceiling measurement, in seconds. */
const CEILING_S = 0.5;
/**
 * Upper limits of the response size classes, in bytes; the last class is unlimited. Responses of one class
 * load a generator equally, so they share a ceiling.
 */
const CEILING_SIZES = [1024, 16 * 1024, 256 * 1024];
/**
 * Maximum size of a request body with a ceiling, in bytes. The null server takes each read for one
 * whole request, and a larger body needs several reads.
 */
const LARGEST_BODY = 16 * 1024;

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

/** Keeps the ceilings of one run. Each kind of load is measured once, when it first occurs. */
class Ceilings {
  readonly #context: OpenCheckContext;
  readonly #known: Map<string, Ceiling> = new Map();

  constructor(context: OpenCheckContext) {
    this.#context = context;
  }

  /**
   * Measures the rate that the generator reaches against a server with canned bytes. This rate is the maximum
   * that it could show for any server.
   *
   * @param response response of the server, which the null server repeats
   * @returns null if canned bytes are not possible: HEAD, large request bodies, pipelining, mixes, other
   * protocols
   * @throws {Failure} if the ceiling cannot be measured.
   */
  async of(job: WindowJob, response: HttpResponse, abort: AbortSignal): Promise<Ceiling | null> {
    const { request: { method, body }, protocol, pipelined, mix } = job;
    if (protocol !== "http" || pipelined > 1 || mix.length > 0) return null;
    if (method === "HEAD" || (body?.length ?? 0) > LARGEST_BODY) return null;
    const shape = shapeOf(job, response);
    const ceiling = this.#known.get(shape) ?? await this.#measure(shape, job, response, abort);
    this.#known.set(shape, ceiling);
    return ceiling;
  }

  async #measure(
    shape: string,
    job: WindowJob,
    response: HttpResponse,
    abort: AbortSignal,
  ): Promise<Ceiling> {
    const { scope, generator, cpus } = this.#context;
    await using canned = await startNullServer(scope, response, cpus);
    const load = {
      ...job.load,
      warmupS: CEILING_WARMUP_S,
      mostWarmupS: CEILING_WARMUP_S,
      durationS: CEILING_S,
    };
    const server = [canned.process.pid];
    let meter: UsageMeter | undefined;
    const measurement = await generator.measure({ ...job, origin: canned.origin, load }, abort, {
      starting: (pids) => void (meter = new UsageMeter({ server, database: [], generator: pids })),
      opened: () => meter?.open(),
      closed: () => meter?.close(),
    });
    const usage = meter?.usage;
    return {
      shape,
      responseBytes: response.text.length,
      responsesPerS: successesOf(measurement) / measurement.durationS,
      generatorBusiest: usage?.generator?.busiestThread ?? null,
      nullServerBusiest: usage?.server?.busiestThread ?? null,
    };
  }
}

/**
 * Returns a key for the loads that share a ceiling: method, response size class, connections and
 * shards.
 */
function shapeOf({ request, load }: WindowJob, response: HttpResponse): string {
  const size = CEILING_SIZES.find((limit) => response.text.length <= limit);
  const words = size === undefined ? "larger responses" : `responses up to ${size / 1024} KiB`;
  return `${request.method}, ${words}, ${load.connections} connections, ${load.shards} shards`;
}
