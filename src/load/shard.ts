import { fileURLToPath } from "node:url";
import type { Slices } from "../model/block.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { Load } from "../model/experiment.ts";
import type { Child } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { trustingEnv } from "../process/tls_client.ts";
import { Awake } from "./awake.ts";
import type { DrivenSlices, DriverJob } from "./driver/slices.ts";
import { CLOSED, type LineProgram, OPENED } from "./generator.ts";
import { timeouts } from "./timeouts.ts";

/** Seconds that a window may take longer than its load before the generator counts as hung. */
const SLACK_S = 10;
/** Maximum number of characters that the error message quotes from an unreadable reply. */
const EXCERPT = 300;
/** Maximum number of characters that the report keeps of an unreadable reply. */
const KEPT = 20_000;

/** Receives the opening and closing of a shard's window. */
interface ShardListener {
  opened(): void;
  closed(): void;
}

/** Limits of one job. */
interface ShardOrder {
  /** The program counts as hung after this many seconds without a reply. */
  readonly limitS: number;
  /** Ends the job and the program early. */
  readonly abort: AbortSignal;
  readonly listener?: ShardListener;
}

/**
 * One process of a load generator. It is started when it is first needed, and again after a failure.
 */
export class Shard<Job, Reply> implements AsyncDisposable {
  readonly #scope: ProcessScope;
  readonly #program: LineProgram<Job, Reply>;
  readonly #cpus: readonly number[] | null;
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
   * Runs one job.
   *
   * @throws {Failure} if the program ends, hangs, or sends an unreadable reply.
   * @throws the reason of `abort` if that signal is aborted.
   */
  async measure(job: Job, { limitS, abort, listener }: ShardOrder): Promise<Reply> {
    abort.throwIfAborted();
    const child = this.#child ??= this.#start();
    const reply = Promise.withResolvers<string>();
    reply.promise.catch(() => {}); // a rejection before the first await must not end this program
    this.#onLine = (line) => {
      if (line === OPENED) listener?.opened();
      else if (line === CLOSED) listener?.closed();
      else reply.resolve(line);
    };
    const timer = setTimeout(() => {
      reply.reject(new Failure(`${this.#name} hung: no response within ${limitS} s`));
    }, limitS * 1000);
    const onAbort = (): void => reply.reject(abort.reason);
    abort.addEventListener("abort", onAbort);
    child.ended.then(() => {
      reply.reject(new Failure(`${this.#name} ${child.howItEnded}${child.lastWords}`));
    });
    try {
      // A process that does not read its input would block a long line.
      this.#folder ??= await this.#scope.makeFolder();
      const line = this.#program.ask(job, this.#folder);
      await Promise.race([child.writeLine(line), reply.promise]);
      const result = this.#parse(await reply.promise);
      this.#isFresh = false;
      return result;
    } catch (error) {
      // The process is in an unknown state, so the next job gets a new one.
      await this[Symbol.asyncDispose]();
      throw error;
    } finally {
      clearTimeout(timer);
      abort.removeEventListener("abort", onAbort);
    }
  }

  get #name(): string {
    return `The load generator ${this.#program.id}`;
  }

  #parse(line: string): Reply {
    try {
      return this.#program.parse(line);
    } catch (error) {
      // The report keeps a tool's output. A reply that is not JSON explains itself, so the message
      // quotes it.
      const excerpt = line.startsWith("{") ? "" : `: ${line.slice(0, EXCERPT)}`;
      throw new Failure(
        `${this.#name} sent an unreadable reply (${messageOf(error)})${excerpt}`,
        line.slice(0, KEPT),
      );
    }
  }

  #start(): Child {
    this.#isFresh = true;
    const child = this.#scope.spawn({
      argv: this.#program.command(),
      cpus: this.#cpus,
      env: trustingEnv(),
      onLine: (line) => this.#onLine(line),
    });
    // A process may also end between two windows; the next window then starts a new one.
    child.ended.then(() => {
      if (this.#child === child) this.#child = null;
    });
    return child;
  }

  /** Ends the process, if there is one. */
  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = null;
    await child?.stop();
  }
}

/**
 * Returns the time limit of a window with its warm-up, in seconds.
 *
 * A window may take three times its planned length and one timeout. If it ends after a number of responses,
 * the limit may be longer. It is then at least the timeout times the number of responses of each connection.
 * autocannon and `stampede` close such a window earlier (window_run.ts).
 */
export function deadlineS(
  { mostWarmupS, durationS, timeoutS, responses, connections }: Load,
): number {
  const usual = 3 * durationS + timeoutS;
  const slowest = responses === null ? usual : timeoutS * Math.ceil(responses / connections);
  return mostWarmupS + Math.max(usual, slowest) + SLACK_S;
}

export type { DriverJob as SlicesJob, SliceTarget } from "./driver/slices.ts";

/** Processors used while slices are measured. */
interface SlicerCpus {
  /** Processors of the driver, the process that loads the servers; null: all. */
  readonly driver: readonly number[] | null;
  /** Processors that are kept awake. */
  readonly awake: readonly number[];
}

const PROCESS = new URL("./driver/slices_process.ts", import.meta.url);
/**
 * Seconds that a block may take longer than planned before the driver counts as hung. Slow
 * responses make slices longer.
 */
const BLOCK_SLACK_S = 120;

const PROGRAM: LineProgram<DriverJob, DrivenSlices> = {
  id: "stampede",
  command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const reply: unknown = JSON.parse(line);
    if (!isSlices(reply)) throw new SyntaxError("not slices");
    return reply;
  },
};

/** Measures slices in a separate process that stays for a whole run. */
export class Slicer implements AsyncDisposable {
  readonly #scope: ProcessScope;
  readonly #cpus: SlicerCpus;
  readonly #shard: Shard<DriverJob, DrivenSlices>;
  /** Null before the first slices. */
  #awake: Awake | null = null;

  constructor(scope: ProcessScope, cpus: SlicerCpus = { driver: null, awake: [] }) {
    this.#scope = scope;
    this.#cpus = cpus;
    this.#shard = new Shard(scope, PROGRAM, cpus.driver);
  }

  /**
   * Loads several running servers in turn.
   *
   * @param abort ends the measurement early
   * @throws {Failure} if the process ends, hangs, or sends an unreadable reply.
   * @throws the reason of `abort` if that signal is aborted.
   */
  async measure(job: DriverJob, abort: AbortSignal): Promise<Omit<Slices, "usage">> {
    const { mostWarmupS, durationS, targets } = job;
    const limitS = timeouts().limitS ??
      3 * (mostWarmupS + durationS) * targets.length + BLOCK_SLACK_S;
    const awake = this.#keepAwake();
    awake.goOn();
    try {
      const slices = await this.#shard.measure(job, { limitS, abort });
      return { ...slices, isAwake: awake.isAwake };
    } finally {
      awake.pause();
    }
  }

  /** The ids of the driver's process and of the processes that keep processors awake. */
  get pids(): number[] {
    return [this.#shard.pid, ...this.#keepAwake().pids];
  }

  #keepAwake(): Awake {
    return this.#awake ??= new Awake(this.#scope, this.#cpus.awake);
  }

  /** Ends the processes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#awake?.[Symbol.asyncDispose]();
    await this.#shard[Symbol.asyncDispose]();
  }
}

function isSlices(value: unknown): value is DrivenSlices {
  if (typeof value !== "object" || value === null) return false;
  const { order, variants } = value as Partial<DrivenSlices>;
  return Array.isArray(order) && Array.isArray(variants);
}
