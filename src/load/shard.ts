/** The processes of load generators: one for each shard, and the driver that measures slices. */
import type { Slices } from "../model/block.ts";
import { Failure, messageOf } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import type { Child } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { tlsInUse } from "../process/tls_client.ts";
import { sum } from "../stats/median.ts";
import { Awake } from "./awake.ts";
import type { DrivenSlices, SlicesJob } from "./driver/slices.ts";
import { CLOSED, denoRun, type LineProgram, OPENED, type WindowListener } from "./generator.ts";

/** Maximum numbers of characters of an unreadable reply in the error message and in the report. */
const EXCERPT = 300;
const KEPT = 20_000;
/** Seconds that a block may take longer than planned, because slow responses make slices longer. */
const BLOCK_SLACK_S = 120;

/** Returns lengths, which a test may shorten by environment variables (docs/testing.md). */
export function timeouts(env: Readonly<Record<string, string>> = Deno.env.toObject()): {
  /** Shortest warm-up of a new process, in seconds: its JIT compiler needs that long. */
  readonly freshWarmupS: number;
  /** Length of the warm-up, and of the window, of a ceiling measurement, in seconds. */
  readonly ceilingS: number;
  /** Seconds after which a generator counts as hung; null: the limit follows from its load. */
  readonly limitS: number | null;
} {
  const { STAMPEDE_TEST_LIMIT_S: limitS, STAMPEDE_TEST_SHORT_S: shortS } = env;
  return {
    freshWarmupS: Number(shortS || 2.5),
    ceilingS: Number(shortS || 0.5),
    limitS: limitS ? Number(limitS) : null,
  };
}

/** One process of a load generator, started when it is needed first, and again after a failure. */
export class Shard<Job, Reply> implements AsyncDisposable {
  readonly #scope: ProcessScope;
  readonly #program: LineProgram<Job, Reply>;
  readonly #cpus: readonly number[] | null;
  readonly #name: string;
  #child: Child | null = null;
  #isFresh = true;
  #folder: string | null = null;
  #onLine: (line: string) => void = () => {};

  constructor(
    scope: ProcessScope,
    program: LineProgram<Job, Reply>,
    cpus: readonly number[] | null,
  ) {
    this.#scope = scope;
    this.#program = program;
    this.#cpus = cpus;
    this.#name = `The load generator ${program.id}`;
  }

  /** Whether the process has not finished a job yet. */
  get isFresh(): boolean {
    return this.#child === null || this.#isFresh;
  }

  /** The process id. Starts the process if necessary. */
  get pid(): number {
    return (this.#child ??= this.#start()).pid;
  }

  /**
   * Runs one job. After `limitS` seconds without a reply, the program counts as hung.
   *
   * @throws {Failure} if the program ends, hangs, or sends an unreadable reply.
   * @throws the reason of `abort`, which ends the job and the program early.
   */
  async measure(job: Job, { limitS, abort, listener }: {
    readonly limitS: number;
    readonly abort: AbortSignal;
    readonly listener?: Omit<WindowListener, "starting">;
  }): Promise<Reply> {
    abort.throwIfAborted();
    const child = this.#child ??= this.#start();
    const reply = Promise.withResolvers<string>();
    reply.promise.catch(() => {}); // a rejection before the first await must not end this program
    this.#onLine = (line) => {
      if (line === OPENED) listener?.opened();
      else if (line === CLOSED) listener?.closed();
      else reply.resolve(line);
    };
    child.ended.then(() => {
      reply.reject(new Failure(`${this.#name} ${child.howItEnded}${child.lastWords}`));
    });
    const ask = async (): Promise<string> => {
      this.#folder ??= await this.#scope.makeFolder();
      const line = this.#program.ask(job, this.#folder);
      // A process that does not read its input would block a long line.
      await Promise.race([child.writeLine(line), reply.promise]);
      return await reply.promise;
    };
    try {
      const { hangs } = this.#program;
      const why = hangs === undefined ? "" : `; ${hangs}`;
      const hung = new Failure(`${this.#name} hung: no response within ${limitS} s${why}`);
      const result = this.#parse(await inTime(ask(), limitS * 1000, hung, abort));
      this.#isFresh = false;
      return result;
    } catch (error) {
      // The process is in an unknown state, so the next job gets a new one.
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  #parse(line: string): Reply {
    try {
      return this.#program.parse(line);
    } catch (error) {
      // A reply that is not JSON explains itself
      const excerpt = line.startsWith("{") ? "" : `: ${line.slice(0, EXCERPT)}`;
      const message = `${this.#name} sent an unreadable reply (${messageOf(error)})${excerpt}`;
      throw new Failure(message, line.slice(0, KEPT));
    }
  }

  #start(): Child {
    this.#isFresh = true;
    const tls = tlsInUse();
    const child = this.#scope.spawn({
      argv: this.#program.command(),
      cpus: this.#cpus,
      env: tls === null ? {} : { DENO_CERT: tls.trustPath },
      onLine: (line) => this.#onLine(line),
    });
    // A process may also end between two windows; the next window then starts a new one.
    child.ended.then(() => {
      if (this.#child === child) this.#child = null;
    });
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = null;
    await child?.stop();
  }
}

const DRIVER: LineProgram<SlicesJob, DrivenSlices> = {
  id: "stampede",
  command: () => denoRun(new URL("./driver/slices.ts", import.meta.url)),
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const reply: DrivenSlices | null = JSON.parse(line);
    if (Array.isArray(reply?.order) && Array.isArray(reply.variants)) return reply;
    throw new SyntaxError("not slices");
  },
};

/** Measures slices in a separate process that stays for a whole run. */
export class Slicer implements AsyncDisposable {
  readonly #shard: Shard<SlicesJob, DrivenSlices>;
  readonly #newAwake: () => Awake;
  #awake: Awake | null = null; // before the first slices

  /** @param cpus,awake processors of the driver (null: all), and those that are kept awake */
  constructor(scope: ProcessScope, cpus: readonly number[] | null, awake: readonly number[]) {
    this.#shard = new Shard(scope, DRIVER, cpus);
    this.#newAwake = () => new Awake(scope, awake);
  }

  /** Loads several running servers in turn. Throws as {@linkcode Shard.measure} does. */
  async measure(job: SlicesJob, abort: AbortSignal): Promise<Omit<Slices, "usage">> {
    const { mostWarmupS, durationS, targets } = job;
    const plannedS = sum(targets.map(({ earlyS }) => earlyS + mostWarmupS + durationS));
    const limitS = timeouts().limitS ?? 3 * plannedS + BLOCK_SLACK_S;
    // The driver first moves the processors together, for which they must sleep
    const awake = this.#keeper;
    awake.pause();
    const listener = { opened: () => awake.goOn(), closed: () => {} };
    try {
      const slices = await this.#shard.measure(job, { limitS, abort, listener });
      return { ...slices, isAwake: awake.isAwake };
    } finally {
      awake.pause();
    }
  }

  /** Keeps processors awake until the result is disposed. */
  keepAwake(): Disposable & { isAwake(): boolean } {
    const awake = this.#keeper;
    awake.goOn();
    return { isAwake: () => awake.isAwake, [Symbol.dispose]: () => awake.pause() };
  }

  /** The ids of the driver's process and of the processes that keep processors awake. */
  get pids(): number[] {
    return [this.#shard.pid, ...this.#keeper.pids];
  }

  get #keeper(): Awake {
    return this.#awake ??= this.#newAwake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#awake?.[Symbol.asyncDispose]();
    await this.#shard[Symbol.asyncDispose]();
  }
}
