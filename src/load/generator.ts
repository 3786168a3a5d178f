/**
 * Load generators and their protocol: a job is a line of a process's standard input, and its reply
 * a line of standard output. Extra lines report when a window opens and closes.
 */
import { fileURLToPath } from "node:url";
import type { Load } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import type { HttpRequest, Scenario } from "../model/scenario.ts";
import type { Alpn } from "../model/server.ts";
import { TextLineStream } from "../process/child.ts";

/** Lines that a load generator's process writes when its window opens and closes. */
export const OPENED = "window opened";
export const CLOSED = "window closed";

/** A request and its correct response. */
interface Exchange {
  readonly request: HttpRequest;
  /** The correct body: this text, or a match of this regular expression; null: any body. */
  readonly expected: { readonly same: string } | { readonly matches: string } | null;
}

/** The requests that each connection sends repeatedly. */
export interface Talk extends Exchange {
  readonly origin: string;
  /** With `websocket`, the server must echo the messages. */
  readonly protocol: Scenario["protocol"];
  /** Number of requests sent at once. */
  readonly pipelined: number;
  /** Requests of other scenarios, sent in turn by their weights; empty: only `request` is sent. */
  readonly mix: readonly (Exchange & { readonly scenario: string; readonly weight: number })[];
}

/** One window's job for a load generator. */
export interface LoadJob extends Talk {
  readonly load: Load;
  /** End of the warm-up in ms, on the clock of `sharedNow`; the same for all shards of a window. */
  readonly opensAtMs: number;
}

/** A window's job before its opening time is known. */
export type WindowJob = Omit<LoadJob, "opensAtMs">;

/** Receives the events of a window: the warm-up starts, the window opens, the window closes. */
export interface WindowListener {
  starting(generatorPids: readonly number[]): void;
  opened(): void;
  closed(): void;
}

/** A program that stays for a whole run and replies to each job. These functions are pure. */
export interface LineProgram<Job, Reply> {
  readonly id: string;
  /** Returns the command line that starts the program. */
  command(): readonly string[];
  /** Returns the line that describes a job. The program's files may be in `folder`. */
  ask(job: Job, folder: string): string;
  /** Parses the program's reply; throws a {@linkcode SyntaxError} if it is invalid. */
  parse(line: string): Reply;
  /** A known reason why it may not reply, with advice. */
  readonly hangs?: string;
}

/** A load generator. A job is one window. */
export interface LoadGenerator extends LineProgram<LoadJob, Measurement> {
  /** Whether it comes with Stampede: it checks bodies, and its windows follow waves. */
  readonly isBuiltIn: boolean;
  /** Number of threads: as many as the load says, one, or one for each core. */
  readonly threads: "configured" | "one" | "cores";
  /** Whether it can send HEAD. A generator that cannot would wait for a body. */
  readonly sendsHead: boolean;
  /** Whether it skips interim responses (1xx); otherwise it counts them as final. */
  readonly skipsInterim: boolean;
  /** Whether it supports pipelining, mixed requests and WebSocket messages. */
  readonly canTalk: boolean;
  /** Its HTTP version. With 1.0 a server may do other work, such as opening more connections. */
  readonly http: "1.0" | "1.1";
  /** Protocols that it supports over TLS. */
  readonly tls: readonly Alpn[];
  /** Returns how many seconds a load over TLS lasts at least; absent: it may have any length. */
  shortestOverTlsS?(connections: number): number;
  /** Parts of a request in its command line, which all users of the machine can read. */
  readonly exposes: readonly ("query" | "headers")[];
  /** A note for readers of its latencies, or null. */
  readonly latencyNote: string | null;
}

/** Returns the command line of a process of Stampede. */
export function denoRun(main: URL, ...args: readonly string[]): string[] {
  return [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(main), ...args];
}

/** Runs each job as it arrives and replies with its result as JSON. `say` writes another line. */
export async function serveJobs<Job>(
  run: (job: Job, say: (line: string) => void) => Promise<unknown>,
): Promise<void> {
  // deno-lint-ignore no-console -- standard output is its interface
  const say = (line: string): void => console.log(line);
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  for await (const line of lines) say(JSON.stringify(await run(JSON.parse(line), say)));
}

/**
 * Text in place of a wrong response if a server sent surplus bytes: bytes without a request, which
 * would count as the next response. Each connection is checked for them after its load.
 */
export const SURPLUS = "bytes after a response that belong to no request";
/** Longest wait in ms for pending responses before the check; surplus bytes would complete them. */
export const DRAIN_MS = 250;
/** How long an idle connection is watched, in ms: surplus bytes follow a response immediately. */
export const WATCH_MS = 20;
