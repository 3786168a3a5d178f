import { Failure, messageOf } from "../model/errors.ts";
import type { Load } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import { type Child, describeEnd } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { CLOSED, type LoadGenerator, type LoadJob, OPENED } from "./generator.ts";
import { PATIENCE, type Patience } from "./patience.ts";

/** What a window may take beyond its load before the generator counts as hung. */
const SLACK_S = 10;
const EXCERPT = 300;
/** Of an answer that cannot be read, for the report. */
const KEPT = 20_000;

/** Hears when a shard's window opens and closes. */
interface ShardListener {
  opened(): void;
  closed(): void;
}

/** One process of a generator, started when it is first needed and again after it has failed. */
export class Shard implements AsyncDisposable {
  readonly #scope: ProcessScope;
  readonly #generator: LoadGenerator;
  readonly #cpus: readonly number[] | null;
  readonly #patience: Patience;
  #child: Child | null = null;
  #isFresh = true;
  #folder: string | null = null;
  #onLine: (line: string) => void = () => {};

  constructor(
    scope: ProcessScope,
    generator: LoadGenerator,
    cpus: readonly number[] | null,
    given: Patience = PATIENCE,
  ) {
    this.#scope = scope;
    this.#generator = generator;
    this.#cpus = cpus;
    this.#patience = given;
  }

  /** Whether the process has not driven a window yet. */
  get isFresh(): boolean {
    return this.#child === null || this.#isFresh;
  }

  /** The process id; the process is started if there is none. */
  get pid(): number {
    return (this.#child ??= this.#start()).pid;
  }

  /**
   * Drives one window.
   *
   * @param abort ends the window early, and the generator with it.
   * @param listener hears when the window itself opens and closes.
   * @throws {Failure} if the generator ends, hangs, or answers what cannot be read.
   * @throws the reason of `abort`.
   */
  async measure(
    job: LoadJob,
    abort: AbortSignal,
    listener: ShardListener,
  ): Promise<Measurement> {
    abort.throwIfAborted();
    const child = this.#child ??= this.#start();
    const answer = Promise.withResolvers<string>();
    answer.promise.catch(() => {}); // leaving before it is awaited leaves no loose end
    this.#onLine = (line) => {
      if (line === OPENED) listener.opened();
      else if (line === CLOSED) listener.closed();
      else answer.resolve(line);
    };
    const limitS = this.#patience.limitS ?? deadlineS(job.load);
    const timer = setTimeout(() => {
      answer.reject(new Failure(`${this.#name} hung: no answer within ${limitS} s`));
    }, limitS * 1000);
    const onAbort = (): void => answer.reject(abort.reason);
    abort.addEventListener("abort", onAbort);
    child.ended.then((status) => {
      answer.reject(new Failure(`${this.#name} ${describeEnd(status)}${child.lastWords}`));
    });
    try {
      // A generator that does not read would keep a long line waiting.
      this.#folder ??= await this.#scope.makeFolder();
      const line = this.#generator.ask(job, this.#folder);
      await Promise.race([child.writeLine(line), answer.promise]);
      const measurement = this.#parse(await answer.promise);
      this.#isFresh = false;
      return measurement;
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
    return `The load generator ${this.#generator.id}`;
  }

  #parse(line: string): Measurement {
    try {
      return this.#generator.parse(line);
    } catch (error) {
      // What a tool printed is kept in the report; what is no answer at all says most by itself.
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
      argv: this.#generator.command(),
      cpus: this.#cpus,
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
 * answers may take as long as they are allowed to, one after the other on each connection.
 */
export function deadlineS(
  { warmupS, durationS, timeoutS, answers, connections }: Load,
): number {
  const usual = 3 * durationS + timeoutS;
  const slowest = answers === null ? usual : timeoutS * Math.ceil(answers / connections);
  return warmupS + Math.max(usual, slowest) + SLACK_S;
}
