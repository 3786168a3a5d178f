import { startNullServer } from "../load/null_server.ts";
import type { WindowJob } from "../load/generator.ts";
import type { RunningGenerator } from "../load/running.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { Ceiling } from "../model/raw.ts";
import type { ProcessScope } from "../process/scope.ts";
import { successesOf } from "../model/figures.ts";
import { UsageMeter } from "../target/usage.ts";

/** Warm-up before the window of a ceiling measurement, in seconds. */
const WARMUP_S = 0.5;
/** Length of the window of a ceiling measurement, in seconds. */
const WINDOW_S = 0.5;
/**
 * Upper limits of the response size classes, in bytes; the last class is unlimited. Responses of one class
 * load a generator equally, so they share a ceiling.
 */
const SIZES = [1024, 16 * 1024, 256 * 1024];
/**
 * Maximum size of a request body with a ceiling, in bytes. The null server takes each read for one
 * whole request, and a larger body needs several reads.
 */
const LARGEST_BODY = 16 * 1024;

/** Inputs for measuring ceilings. */
export interface CeilingContext {
  readonly scope: ProcessScope;
  readonly generator: RunningGenerator;
  /** Processors that servers may use; null means all. */
  readonly cpus: readonly number[] | null;
}

/** Keeps the ceilings of one run. Each kind of load is measured once, when it first occurs. */
export class Ceilings {
  readonly #context: CeilingContext;
  readonly #known: Map<string, Ceiling> = new Map();

  constructor(context: CeilingContext) {
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
    const load = { ...job.load, warmupS: WARMUP_S, mostWarmupS: WARMUP_S, durationS: WINDOW_S };
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
  const size = SIZES.find((limit) => response.text.length <= limit);
  const words = size === undefined ? "larger responses" : `responses up to ${size / 1024} KiB`;
  return `${request.method}, ${words}, ${load.connections} connections, ${load.shards} shards`;
}
