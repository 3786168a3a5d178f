/** The work of a server for one response, for `stampede work`. */
import type { OneOf } from "./schema.ts";

/** The work of one server at one scenario. */
export interface WorkRecord {
  readonly server: string;
  readonly scenario: string;
  readonly outcome: WorkOutcome;
}

type WorkOutcome = OneOf<{
  done: Work;
  /** The server cannot run on this machine. */
  missing: { message: string };
  failed: { message: string };
}>;

/** The work for one response, or for one message at a WebSocket. */
export interface Work {
  /** Length of the status line and the headers; at a WebSocket those of its handshake. */
  readonly headBytes: number;
  /** Mean length of the body on the wire, compressed or in chunks; at a WebSocket of a message. */
  readonly bodyBytes: number;
  /** Headers of one response, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** System calls that send; null if they cannot be traced. */
  readonly sends: { readonly toClients: number; readonly toDatabase: number } | null;
  /** Statements and their executions for one response; null without a database. */
  readonly statements:
    | readonly { readonly query: string; readonly perResponse: number }[]
    | null;
  /** Connections to the database while requests wait for locked tables; null if none waits. */
  readonly connections: number | null;
  /** Differences from the contract. */
  readonly problems: readonly string[];
  /** What could not be counted, with reasons. */
  readonly notes: readonly string[];
}
