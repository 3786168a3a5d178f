import { text } from "../../scenarios/text.ts";
import { successesOf } from "../model/figures.ts";
import {
  BUILT_IN_GENERATORS,
  findGenerator,
  type FoundGenerator,
  GENERATORS,
  type MissingGenerator,
} from "../load/generator_list.ts";
import { ONE_BY_ONE } from "../load/driver/load_client.ts";
import type { LoadGenerator, WindowJob, WindowListener } from "../load/generator.ts";
import { RunningGenerator } from "../load/running.ts";
import { startNullServer } from "../load/null_server.ts";
import type { Probe } from "../load/probe.ts";
import { checkOpenLoop } from "../load/open_check.ts";
import type { SlicesJob } from "../load/driver/slices.ts";
import { Slicer, timeouts } from "../load/shard.ts";
import type { Slices } from "../model/block.ts";
import type { Load, OpenLoad } from "../model/experiment.ts";
import type { Ceiling, Measurement, Usage } from "../model/raw.ts";
import type { Pinning } from "../model/report.ts";
import type { OpenCheck } from "../model/derived.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { ProcessScope } from "../process/scope.ts";
import { UsageMeter } from "../target/usage.ts";

const [, stampede] = BUILT_IN_GENERATORS;

/** A load generator and its installation on this machine. */
export interface GeneratorStatus {
  readonly generator: LoadGenerator;
  readonly found: FoundGenerator | MissingGenerator;
}

/** A load generator that is installed on this machine. */
export type PresentGenerator = GeneratorStatus & { readonly found: FoundGenerator };

/** Running load generators, by id. */
export interface Generators extends AsyncDisposable {
  /** Drives one window. */
  measure(
    id: string,
    job: WindowJob,
    signal: AbortSignal,
    listener: WindowListener,
  ): Promise<Measurement>;
  /** Drives one window with the generator `stampede`, also next to another window. */
  drive(
    job: WindowJob,
    signal: AbortSignal,
    listener?: Partial<WindowListener>,
  ): Promise<Measurement>;
  /** Loads several running servers in turn, with the generator `stampede`. */
  slices(job: SlicesJob, signal: AbortSignal): Promise<Slices>;
  /** Keeps processors awake until the result is disposed. */
  keepAwake(): Disposable;
  /** Measures the open loop against a server with response times known from theory. */
  checkOpenLoop(open: OpenLoad, connections: number, signal: AbortSignal): Promise<OpenCheck>;
  /**
   * Returns a generator's ceiling for a job: its rate against a server that repeats `response`,
   * measured once for each kind of load. Null if canned bytes are not possible: HEAD, large request
   * bodies, pipelining, mixes, other protocols.
   */
  ceiling(
    id: string,
    job: WindowJob,
    response: HttpResponse,
    signal: AbortSignal,
  ): Promise<Ceiling | null>;
}

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
 * Starts the load generators of a run. `awakeCpus` are kept from sleeping during slices and turns.
 * `databasePid` is the database's main process, to measure its CPU time; null if unknown.
 */
export function startGenerators(
  scope: ProcessScope,
  present: readonly PresentGenerator[],
  pinning: Pinning | null,
  awakeCpus: readonly number[],
  databasePid: number | null,
): Generators {
  const driver = pinning?.generator ?? null;
  const cpus = pinning?.server ?? null;
  const slicer = new Slicer(scope, driver, awakeCpus);
  const running = new Map(
    present.map(({ generator: tool }) => [tool.id, new RunningGenerator(scope, tool, driver)]),
  );
  const byId = (id: string): RunningGenerator => {
    const one = running.get(id);
    if (one === undefined) throw new RangeError(`There is no load generator "${id}" in this run`);
    return one;
  };
  const extra = new RunningGenerator(scope, stampede, driver);
  /** By generator and kind of load. */
  const ceilings = new Map<string, Ceiling>();
  return {
    measure: (id, job, signal, listener) => byId(id).measure(job, signal, listener),
    drive: (job, signal, listener) => extra.measure(job, signal, listener),
    keepAwake: () => slicer.keepAwake(),
    checkOpenLoop: (open, connections, signal) => {
      const generator = byId(stampede.id);
      return checkOpenLoop({ scope, generator, cpus }, open, connections, signal);
    },
    ceiling: async (id, job, response, signal) => {
      const { request: { method, body }, protocol, pipelined, mix } = job;
      if (protocol !== "http" || pipelined > 1 || mix.length > 0) return null;
      if (method === "HEAD" || (body?.length ?? 0) > LARGEST_BODY) return null;
      const key = `${id} ${shapeOf(job, response)}`;
      const context = { scope, generator: byId(id), cpus };
      const ceiling = ceilings.get(key) ?? await measureCeiling(context, job, response, signal);
      ceilings.set(key, ceiling);
      return ceiling;
    },
    slices: async (job, signal) => {
      const meter = new UsageMeter({
        server: job.targets.flatMap(({ pid }) => pid ?? []),
        database: databasePid === null ? [] : [databasePid],
        generator: slicer.pids,
      });
      meter.open();
      const slices = await slicer.measure(job, signal);
      meter.close();
      return { ...slices, usage: meter.usage };
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of [slicer, extra, ...running.values()]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Observes CPU time, memory and the probe of a window. Process ids are null if unknown. */
export function observe(
  server: number | null,
  database: number | null,
  probe: Probe | null,
): WindowListener & { usage(): Usage | null } {
  const pids = (pid: number | null): readonly number[] => pid === null ? [] : [pid];
  let meter: UsageMeter | null = null;
  return {
    starting: (generator) => {
      meter = new UsageMeter({ server: pids(server), database: pids(database), generator });
    },
    // Reading the processes takes a few milliseconds, so the probe opens last and closes first.
    opened: () => {
      meter?.open();
      probe?.open();
    },
    closed: () => {
      probe?.close();
      meter?.close();
    },
    usage: () => meter?.usage ?? null,
  };
}

/** Limits of the response size classes, in bytes. Within a class they load a generator equally. */
const CEILING_SIZES = [1024, 16 * 1024, 256 * 1024];
/** Maximum request body with a ceiling, in bytes: the null server takes each read for a request. */
const LARGEST_BODY = 16 * 1024;

/** Measures a generator's rate against the null server, with responses as in scenario `text`. */
export async function ceilingOf(
  scope: ProcessScope,
  present: PresentGenerator,
  { connections, shards }: Pick<Load, "connections" | "shards">,
  signal: AbortSignal,
): Promise<Ceiling> {
  await using generator = new RunningGenerator(scope, present.generator);
  // The measurement sets its own lengths
  const lengths = { warmupS: 0, mostWarmupS: 0, durationS: 1, responses: null, timeoutS: 10 };
  const load = { connections, shards, ...lengths, open: null };
  const job = { origin: "", request: text.request, ...ONE_BY_ONE, load, expected: null };
  const response = {
    status: 200,
    headers: new Headers({ "content-type": "text/plain;charset=UTF-8", connection: "keep-alive" }),
    text: "Hello world",
  };
  return await measureCeiling({ scope, generator, cpus: null }, job, response, signal);
}

async function measureCeiling(
  { scope, generator, cpus }: Parameters<typeof checkOpenLoop>[0],
  job: WindowJob,
  response: HttpResponse,
  abort: AbortSignal,
): Promise<Ceiling> {
  await using canned = await startNullServer(scope, response, cpus);
  const lengthS = Math.max(timeouts().ceilingS, generator.shortestS(job.load.connections));
  const lengths = { warmupS: lengthS, mostWarmupS: lengthS, durationS: lengthS };
  const observer = observe(canned.process.pid, null, null);
  const cannedJob = { ...job, origin: canned.origin, load: { ...job.load, ...lengths } };
  const measurement = await generator.measure(cannedJob, abort, observer);
  const usage = observer.usage();
  return {
    shape: shapeOf(job, response),
    responseBytes: response.text.length,
    responsesPerS: successesOf(measurement) / measurement.durationS,
    generatorBusiest: usage?.generator?.busiestThread ?? null,
    nullServerBusiest: usage?.server?.busiestThread ?? null,
  };
}

/** Describes the loads that share a ceiling. */
function shapeOf({ request, load }: WindowJob, response: HttpResponse): string {
  const size = CEILING_SIZES.find((limit) => response.text.length <= limit);
  const words = size === undefined ? "larger responses" : `responses up to ${size / 1024} KiB`;
  return `${request.method}, ${words}, ${load.connections} connections, ${load.shards} shards`;
}
