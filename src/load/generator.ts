import type { Load } from "../model/experiment.ts";
import type { HttpRequest, Protocol } from "../model/scenario.ts";
import type { Measurement } from "../model/raw.ts";
import type { Alpn } from "../model/server.ts";
import type { MixPart } from "./driver/load_client.ts";

/** Line that a load generator's process writes when its window opens. */
export const OPENED = "window opened";
/** Line that a load generator's process writes when its window closes. */
export const CLOSED = "window closed";

/**
 * Receives three events of a window: the load starts with its warm-up, the window opens, and the
 * window closes.
 */
export interface WindowListener {
  starting(generatorPids: readonly number[]): void;
  opened(): void;
  closed(): void;
}

/** One window's job for a load generator. */
export interface LoadJob {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly protocol: Protocol;
  /** Requests sent at once on each connection. */
  readonly pipelined: number;
  /** Kinds of requests sent in turn instead of `request`; empty if there is one kind. */
  readonly mix: readonly MixPart[];
  readonly load: Load;
  /** The correct body: this text, or a match of this regular expression; null: any body. */
  readonly body: { readonly same: string } | { readonly matches: string } | null;
  /**
   * End of the warm-up in milliseconds, on the clock of `sharedNow`. All shards of a window get the
   * same time.
   */
  readonly opensAtMs: number;
}

/** A window's job before its opening time is known. */
export type WindowJob = Omit<LoadJob, "opensAtMs">;

/**
 * A program that stays for a whole run. It takes each job as one line and replies with one line. These
 * functions are pure.
 */
export interface LineProgram<Job, Reply> {
  readonly id: string;
  /** Returns the command line that starts the program. */
  command(): readonly string[];
  /**
   * Returns the line that describes a job to the program.
   *
   * @param folder a temporary folder for the program's files
   */
  ask(job: Job, folder: string): string;
  /**
   * Parses the program's reply.
   *
   * @throws {SyntaxError} if the line is not a reply.
   */
  parse(line: string): Reply;
}

/** A load generator. A job is one window; extra lines report when the window opens and closes. */
export interface LoadGenerator extends LineProgram<LoadJob, Measurement> {
  /**
   * Number of threads. `process`: one for each shard. `configured`: as many as the load says.
   * `one`: always one. `cores`: one for each core.
   */
  readonly threads: "process" | "configured" | "one" | "cores";
  /** Whether it can send HEAD. A generator that cannot would wait for a body. */
  readonly sendsHead: boolean;
  /** Whether it skips interim responses (1xx); otherwise it counts them as final. */
  readonly skipsInterim: boolean;
  /** Whether it supports pipelining, mixed requests and WebSocket messages. */
  readonly canTalk: boolean;
  /** Its HTTP version. */
  readonly http: "1.0" | "1.1";
  /** Protocols that it supports over TLS. */
  readonly tls: readonly Alpn[];
  /** Whether it checks response bodies under load. */
  readonly checksBodies: boolean;
  /**
   * Whether it opens and closes its window at the same point of a wave, if responses come in
   * waves.
   */
  readonly knowsWaves: boolean;
  /**
   * Parts of a request that are visible in the command line, which all users of the machine can read.
   */
  readonly exposes: readonly ("query" | "headers")[];
  /** A note for readers of its latencies, or null. */
  readonly latencyNote: string | null;
}

/**
 * Parses the measurement that a built-in generator's process sent.
 *
 * @throws {SyntaxError} if the line is not a measurement.
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
