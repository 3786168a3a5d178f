import { Failure, messageOf } from "../model/errors.ts";
import type { Load } from "../model/experiment.ts";
import type { Child } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { trustingEnv } from "../process/tls_client.ts";
import { CLOSED, type LineProgram, OPENED } from "./generator.ts";

/** What a window may take beyond its load before the generator counts as hung. */
const SLACK_S = 10;
const EXCERPT = 300;
/** Of a response that cannot be read, for the report. */
const KEPT = 20_000;

/** Hears when a shard's window opens and closes. */
interface ShardListener {
  opened(): void;
  closed(): void;
}

/** How one job is waited for. */
interface ShardOrder {
  /** Without a response within so many seconds the program counts as hung. */
  readonly limitS: number;
  /** Ends the job early, and the program with it. */
  readonly abort: AbortSignal;
  readonly listener?: ShardListener;
}

/** One process of a load generator, started when it is first needed and again after it has failed. */
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

  /** Whether the process has done no job yet. */
  get isFresh(): boolean {
    return this.#child === null || this.#isFresh;
  }

  /** The process id; the process is started if there is none. */
  get pid(): number {
    return (this.#child ??= this.#start()).pid;
  }

  /**
   * Does one job.
   *
   * @throws {Failure} if the program ends, hangs, or answers what cannot be read.
   * @throws the reason of `abort`.
   */
  async measure(job: Job, { limitS, abort, listener }: ShardOrder): Promise<Reply> {
    abort.throwIfAborted();
    const child = this.#child ??= this.#start();
    const reply = Promise.withResolvers<string>();
    reply.promise.catch(() => {}); // leaving before it is awaited leaves no loose end
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
      // A generator that does not read would keep a long line waiting.
      this.#folder ??= await this.#scope.makeFolder();
      const line = this.#program.ask(job, this.#folder);
      await Promise.race([child.writeLine(line), reply.promise]);
      const result = this.#parse(await reply.promise);
      this.#isFresh = false;
      return result;
    } catch (error) {
      // What it does now is not what is asked next.
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
      // What a tool printed is kept in the report; what is no response at all says most by itself.
      const excerpt = line.startsWith("{") ? "" : `: ${line.slice(0, EXCERPT)}`;
      throw new Failure(
        `${this.#name} answered what cannot be read (${messageOf(error)})${excerpt}`,
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
    // Also between two windows: the next one starts a new process.
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
 * When a window is overdue: three times its length is what a slow whole cycle may take; a number of
 * responses may take as long as they are allowed to, one after the other on each connection.
 */
export function deadlineS(
  { mostWarmupS, durationS, timeoutS, responses, connections }: Load,
): number {
  const usual = 3 * durationS + timeoutS;
  const slowest = responses === null ? usual : timeoutS * Math.ceil(responses / connections);
  return mostWarmupS + Math.max(usual, slowest) + SLACK_S;
}
