import type { Load } from "../model/experiment.ts";
import type { HttpRequest, Protocol } from "../model/scenario.ts";
import type { Measurement } from "../model/raw.ts";
import type { Alpn } from "../model/tls.ts";
import type { MixPart } from "./driver/load_client.ts";

/** Lines that a load generator's process writes when its window opens and closes. */
export const OPENED = "window opened";
export const CLOSED = "window closed";

/** Hears how a window goes: the load starts, with its warm-up; the window opens; it closes. */
export interface WindowListener {
  starting(generatorPids: readonly number[]): void;
  opened(): void;
  closed(): void;
}

/** What a load generator is to do in one window. */
export interface LoadJob {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly protocol: Protocol;
  /** Requests that are sent at once on each connection. */
  readonly pipelined: number;
  /** Kinds of requests that are sent in turn in place of `request`; empty: there is only one. */
  readonly mix: readonly MixPart[];
  readonly load: Load;
  /** What a right body is: this text, any that matches this regular expression, or null: any. */
  readonly body: { readonly same: string } | { readonly matches: string } | null;
  /** When the warm-up ends, by the clock of `sharedNow`: the same moment for every shard. */
  readonly opensAtMs: number;
}

/** A window as it is ordered, before it is known when it opens. */
export type WindowJob = Omit<LoadJob, "opensAtMs">;

/**
 * A program that stays for a whole run, takes each job as one line, and answers with one line: pure
 * functions over what it is told and tells.
 */
export interface LineProgram<Job, Reply> {
  readonly id: string;
  /** The command line that starts the program. */
  command(): readonly string[];
  /**
   * The line that asks for one job.
   *
   * @param folder a temporary folder for its files
   */
  ask(job: Job, folder: string): string;
  /**
   * What the program answered.
   *
   * @throws {SyntaxError} if it is not a response.
   */
  parse(line: string): Reply;
}

/** A load generator: a job is one window, and lines between say when that opens and closes. */
export interface LoadGenerator extends LineProgram<LoadJob, Measurement> {
  /**
   * What threads it can use: `process`, one for each shard, which is a process; as many as it is
   * `configured`; always `one`; or all `cores`.
   */
  readonly threads: "process" | "configured" | "one" | "cores";
  /** Whether it can send HEAD: one that cannot waits for the body. */
  readonly sendsHead: boolean;
  /** Whether it skips interim responses (1xx); otherwise it counts them as final. */
  readonly skipsInterim: boolean;
  /** Whether it can send several requests at once or several kinds in turn, and messages over WebSockets. */
  readonly canTalk: boolean;
  /** What it speaks. */
  readonly http: "1.0" | "1.1";
  /** What it speaks over TLS. */
  readonly tls: readonly Alpn[];
  /** Whether it looks at the bodies of responses while it loads. */
  readonly checksBodies: boolean;
  /** Whether it opens and closes its window at the same point of a wave, where responses come in waves. */
  readonly knowsWaves: boolean;
  /** What command lines show of a request to all who may list processes. */
  readonly exposes: readonly ("query" | "headers")[];
  /** What a reader of its latencies has to know; null if nothing. */
  readonly latencyNote: string | null;
}

/**
 * A measurement that a process of ours answered with.
 *
 * @throws {SyntaxError} if it is none.
 */
export function readMeasurement(line: string): Measurement {
  const reply: unknown = JSON.parse(line);
  if (!isMeasurement(reply)) throw new SyntaxError("not a measurement");
  return reply;
}

function isMeasurement(value: unknown): value is Measurement {
  if (typeof value !== "object" || value === null) return false;
  const { durationS, statuses, latency } = value as Partial<Measurement>;
  return typeof durationS === "number" && durationS > 0 && typeof statuses === "object" &&
    latency !== undefined;
}
