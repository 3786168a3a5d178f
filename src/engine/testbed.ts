import type { Database } from "../database/provide.ts";
import type { Generators, GeneratorStatus, PresentGenerator } from "./generator_pool.ts";
import type { Probe, ProbeOptions } from "../load/probe.ts";
import type { MachineFacts } from "../machine/facts.ts";
import type { RunEvent } from "../model/events.ts";
import type { Load, Variant } from "../model/experiment.ts";
import type { Ceiling, DatabaseActivity } from "../model/raw.ts";
import type { Pinning, Report } from "../model/report.ts";
import type { Facts } from "../model/scenario.ts";
import type { Alpn, Server } from "../model/server.ts";
import type { RunningServer } from "../target/launch.ts";
import type { Sampler } from "../target/sampler.ts";
import type { CountsByName, SendsByPeer } from "../target/tracer.ts";

/** Receives progress events. */
export type ProgressListener = (event: Extract<RunEvent, { kind: "phase" | "note" }>) => void;

/** The outside world of an experiment: processes, a database, load generators and a clock. */
export interface Testbed {
  /** Identity of the run and its command line. */
  readonly origin: Pick<Report, "id" | "createdAt" | "program" | "command">;
  /** Returns the milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Returns every load generator, the default first, and whether it is installed. */
  generators(): Promise<readonly GeneratorStatus[]>;
  /**
   * Starts everything that servers need. It ends when the testbed is disposed. `abort` ends the start of
   * PostgreSQL or of a server early, and makes it throw the signal's reason.
   */
  open(
    needs: TestbedNeeds,
    onProgress: ProgressListener,
    abort?: AbortSignal,
  ): Promise<OpenTestbed>;
}

/** What the servers of an experiment need on the machine. */
export interface TestbedNeeds {
  readonly database: boolean;
  /** Maximum number of connections to the database. */
  readonly databaseConnections: number;
  /** Whether server, database and load generator get separate processors. */
  readonly pins: boolean;
  /** Protocol that servers speak over TLS; null without TLS. */
  readonly tls: Alpn | null;
}

/** A server (if it was built, with the build's folder), and why it cannot run if it cannot. */
export interface PreparedServer {
  readonly server: Server;
  /** The tools that are missing on this machine; null if none. */
  readonly skipped: string | null;
  /** Why the build failed; null if it did not. */
  readonly failure: string | null;
}

/** A testbed in which servers can be started. */
export interface OpenTestbed extends AsyncDisposable {
  /** Facts about the machine, read before anything was started. */
  readonly machine: MachineFacts;
  readonly pinning: Pinning | null;
  /** The database that the servers use; null without one. */
  readonly database: Database | null;
  readonly facts: Facts;
  /** The load generators that pilot windows have chosen, in earlier runs too. */
  readonly generatorChoices: {
    /** Returns the id of the chosen load generator, or undefined if none was chosen. */
    get(key: string): string | undefined;
    /** Stores choices for later runs. If they cannot be written, they are lost without an error. */
    keep(choices: ReadonlyMap<string, string>): Promise<void>;
  };
  /** Describes the machine, the user's commit, and the versions of all programs of a run. */
  describe(
    variants: readonly Variant[],
    generators: readonly PresentGenerator[],
    mostConnections: number,
  ): Promise<Pick<Report, "host" | "commit" | "versions">>;
  /** Checks which servers this machine can run, and builds those that need it. */
  prepare(
    servers: readonly Server[],
    onProgress: ProgressListener,
    signal: AbortSignal,
  ): Promise<readonly PreparedServer[]>;
  /** Starts a server and waits until it answers. */
  launch(server: Server, env: Readonly<Record<string, string>>): Promise<RunningServer>;
  /**
   * Starts a server with its inspector. Its performance figures do not count. If `isExact`, samples are
   * attributed to the right function, which takes a little longer.
   */
  launchProfiled(
    ...args: [...Parameters<OpenTestbed["launch"]>, isExact?: boolean]
  ): Promise<RunningServer & { readonly sampler: Sampler }>;
  /** Counts the system calls of processes while `during` runs; throws a `Failure` if it cannot. */
  traceCalls(pids: readonly number[], during: () => Promise<void>): Promise<CountsByName>;
  /**
   * Counts the system calls by which a server's processes send to clients and to the database while
   * `during` runs; throws a `Failure` if it cannot.
   */
  traceSends(server: RunningServer, during: () => Promise<void>): Promise<SendsByPeer>;
  /** Throws a `Failure` if a process that every trial needs has ended, such as the database. */
  assertSound(): Promise<void>;
  /** Counts the database's statements until the result is called; null if it cannot count. */
  countStatements(): Promise<(() => Promise<DatabaseActivity>) | null>;
  watch(options: ProbeOptions): Probe;
  /** Measures a load generator's rate against the null server with small responses. */
  ceilingOf(
    generator: PresentGenerator,
    load: Pick<Load, "connections" | "shards">,
    signal: AbortSignal,
  ): Promise<Ceiling>;
  pool(generators: readonly PresentGenerator[]): Generators;
}
