import type { HttpRequest } from "../../model/scenario.ts";
import type { Alpn } from "../../model/tls.ts";
import type { Latency, Measurement } from "../../model/raw.ts";

/** One load for a tool: for a time, or for a number of requests. */
export interface ToolLoad {
  readonly url: string;
  /** Protocol over TLS; null: no TLS. Stampede has checked the certificate already. */
  readonly alpn: Alpn | null;
  readonly request: HttpRequest;
  readonly connections: number;
  readonly threads: number;
  /** Length in seconds; null if the load ends after a number of requests. */
  readonly seconds: number | null;
  /** Number of requests that ends the load; null if it ends by time. */
  readonly requests: number | null;
  readonly timeoutS: number;
}

/**
 * Command line and files for one load. In the command line, `{DIR}` stands for a temporary folder
 * with these files.
 */
export interface Invocation {
  readonly argv: readonly string[];
  /** Contents of the files that the tool reads, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Name of the file with the tool's result; null: standard output. */
  readonly result: string | null;
}

/** The output of one run of a tool. */
export interface ToolOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Contents of the result file; null if there is none. */
  readonly result: string | null;
}

/** The measurements that a tool reports; null in place of those that the tool does not report. */
export type Reading =
  & Pick<Measurement, "durationS" | "statuses" | "transportErrors" | "timeouts" | "bytes">
  & { readonly latency: Latency | null };

/** The loads that a tool can send, and the number of its threads. */
export interface Abilities {
  /** Whether the load can end after a number of requests. */
  readonly requests: boolean;
  /** Shortest load, and step of its length, in seconds. */
  readonly stepS: number;
  /** Whether the tool can send HEAD. A tool that cannot would wait for a body. */
  readonly head: boolean;
  /** Whether it skips interim responses (1xx); otherwise it counts them as final. */
  readonly interim: boolean;
  /**
   * Its HTTP version. With 1.0 a server may do other work, such as opening a connection for each
   * request.
   */
  readonly http: "1.0" | "1.1";
  /** Protocols that it supports over TLS. */
  readonly tls: readonly Alpn[];
  /**
   * Number of threads. `configured`: as many as the load says. `one`: always one. `cores`: one for
   * each core.
   */
  readonly threads: "configured" | "one" | "cores";
}

/**
 * A load generator that is a separate program. Its functions are pure: one makes its command line,
 * one reads its output.
 */
export interface Tool {
  readonly id: string;
  /** Command that prints its version, and a pattern that finds the version in the output. */
  readonly version: { readonly command: readonly string[]; readonly pattern: RegExp };
  /** Instructions to install it. */
  readonly install: string;
  readonly abilities: Abilities;
  /**
   * Parts of a request that are visible in the command line, which all users of the machine can read.
   */
  readonly exposes: readonly ("query" | "headers")[];
  /** A note for readers of its latencies, or null. */
  readonly latencyNote: string | null;
  /** Text in its output that marks the start of the load; null: the load starts at once. */
  readonly startsWith: string | null;
  invoke(load: ToolLoad): Invocation;
  /**
   * Reads the output of a run.
   *
   * @throws {SyntaxError} with the value that is missing or invalid.
   */
  read(output: ToolOutput): Reading;
}
