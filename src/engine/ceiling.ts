import { startNullServer } from "../load/null_server.ts";
import type { WindowJob } from "../load/generator.ts";
import type { RunningGenerator } from "../load/running.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { Ceiling } from "../model/raw.ts";
import type { ProcessScope } from "../process/scope.ts";
import { successesOf } from "../analysis/figures.ts";
import { UsageMeter } from "../target/usage.ts";

const WARMUP_S = 0.5;
const WINDOW_S = 0.5;
/** Answers up to these sizes load a generator alike, in bytes; the last class has no end. */
const SIZES = [1024, 16 * 1024, 256 * 1024];
/** The null server takes what one read brings for a request; a larger body comes in several. */
const LARGEST_BODY = 16 * 1024;

/** What measures ceilings. */
export interface CeilingContext {
  readonly scope: ProcessScope;
  readonly generator: RunningGenerator;
  /** The processors that servers may use; null: all. */
  readonly cpus: readonly number[] | null;
}

/** The ceilings of one run: each shape of load is measured once, when it first comes up. */
export class Ceilings {
  readonly #context: CeilingContext;
  readonly #known: Map<string, Ceiling> = new Map();

  constructor(context: CeilingContext) {
    this.#context = context;
  }

  /**
   * The rate that the generator reaches for a job against a server of canned bytes: what it could show
   * at most, of any server. Null where bytes that are canned would not do: a response to HEAD
   * has no body, a large request comes in pieces, several at once come in one, and a mix has several responses.
   *
   * @param response what the server gives, and the null server too
   * @throws {Failure} if it cannot be measured.
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

/** Names the shape of a load: what a generator's ceiling depends on. */
function shapeOf({ request, load }: WindowJob, response: HttpResponse): string {
  const size = SIZES.find((limit) => response.text.length <= limit);
  const words = size === undefined ? "larger responses" : `responses up to ${size / 1024} KiB`;
  return `${request.method}, ${words}, ${load.connections} connections, ${load.shards} shards`;
}
