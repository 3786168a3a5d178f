import type { HttpRequest } from "../../model/scenario.ts";
import type { Alpn } from "../../model/tls.ts";
import type { Latency, Measurement } from "../../model/raw.ts";

/** One load, as a tool is asked for it: so long, or so many requests. */
export interface ToolLoad {
  readonly url: string;
  /** What is spoken over TLS; null: no TLS. The certificate has been looked at already. */
  readonly alpn: Alpn | null;
  readonly request: HttpRequest;
  readonly connections: number;
  readonly threads: number;
  /** Null if it ends with a number of requests. */
  readonly seconds: number | null;
  readonly requests: number | null;
  readonly timeoutS: number;
}

/** How a tool is started for one load. `{DIR}` stands for a folder that holds the files, and is gone afterwards. */
export interface Invocation {
  readonly argv: readonly string[];
  /** Texts of the files that it reads, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The file that it writes its result to, if not standard output. */
  readonly result: string | null;
}

/** What one run of a tool left behind. */
export interface ToolOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The result file's text; null if there is none. */
  readonly result: string | null;
}

/** What a tool can tell of one load; what it cannot know is null. */
export type Reading =
  & Pick<Measurement, "durationS" | "statuses" | "transportErrors" | "timeouts" | "bytes">
  & { readonly latency: Latency | null };

/** What a tool is capable of. */
export interface Abilities {
  /** Whether it can end with a number of requests, rather than after a time. */
  readonly requests: boolean;
  /** The shortest load, and the step of its length, in seconds. */
  readonly stepS: number;
  /** Whether it can send HEAD: one that cannot waits for the body. */
  readonly head: boolean;
  /** Whether it skips interim responses (1xx); otherwise it counts them as final. */
  readonly interim: boolean;
  /** What it speaks: under 1.0 a server may do other work, such as a connection for each request. */
  readonly http: "1.0" | "1.1";
  /** What it speaks over TLS. */
  readonly tls: readonly Alpn[];
  /** Threads that it can use: as many as it is told, one, or as many as there are cores. */
  readonly threads: "configured" | "one" | "cores";
}

/** A load generator that is a program on this machine: pure functions over its command line and output. */
export interface Tool {
  readonly id: string;
  /** Prints its version, and where in the output it stands. */
  readonly version: { readonly command: readonly string[]; readonly pattern: RegExp };
  /** How to get it, for a person. */
  readonly install: string;
  readonly abilities: Abilities;
  /** What its command line shows of a request to all who may list processes. */
  readonly exposes: readonly ("query" | "headers")[];
  /** What a reader of its latencies has to know; null if nothing. */
  readonly latencyNote: string | null;
  /** What stands in its output or its errors once the load has started; null: it starts at once. */
  readonly startsWith: string | null;
  invoke(load: ToolLoad): Invocation;
  /**
   * What a run says.
   *
   * @throws {SyntaxError} naming what cannot be read.
   */
  read(output: ToolOutput): Reading;
}
