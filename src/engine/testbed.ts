import type { Drivers } from "./drivers.ts";
import type { GeneratorStatus, PresentGenerator } from "./generator_pool.ts";
import type { WindowJob, WindowListener } from "../load/generator.ts";
import type { SlicesJob } from "../load/slicer.ts";
import type { Probe, ProbeOptions } from "../load/probe.ts";
import type { MachineFacts } from "../machine/facts.ts";
import type { Slices } from "../model/block.ts";
import type { RunEvent } from "../model/events.ts";
import type { Load, OpenLoad, Variant } from "../model/experiment.ts";
import type { Ceiling, DatabaseActivity, Measurement } from "../model/raw.ts";
import type { Commit, Host, Pinning } from "../model/report.ts";
import type { OpenCheck } from "../model/open_loop_result.ts";
import type { Facts, HttpResponse } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { Alpn } from "../model/tls.ts";
import type { RunningServer } from "../target/launch.ts";
import type { Sampler } from "../target/sampler.ts";

/** Which run this is, and what was typed for it. */
export interface Origin {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** What was typed before the arguments. */
  readonly program: readonly string[];
  /** The program and its arguments, without secrets. */
  readonly command: readonly string[];
}

/** Hears what is being prepared. */
export type ProgressListener = (event: Extract<RunEvent, { kind: "phase" | "note" }>) => void;

/** What experiments need of the world: processes, a database, load generators, a clock. */
export interface Testbed {
  readonly origin: Origin;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Every load generator, the default first, and whether it is here. */
  generators(): Promise<readonly GeneratorStatus[]>;
  /** Starts what servers need. All of it ends with its scope. */
  open(needs: TestbedNeeds, onProgress: ProgressListener): Promise<OpenTestbed>;
}

/** What servers need around them. */
export interface TestbedNeeds {
  readonly database: boolean;
  /** Connections that one server may open to it. */
  readonly databaseConnections: number;
  /** Whether server, database and load generator are to have processors of their own. */
  readonly pins: boolean;
  /** What servers are to speak over TLS; null: none. */
  readonly tls: Alpn | null;
}

/** A server as it can be had here. */
export interface PreparedServer {
  /** With the folder in which its commands run, if it could be built. */
  readonly server: Server;
  /** What it lacks on this machine; null if nothing. */
  readonly skipped: string | null;
  /** Why it could not be built; null if it could. */
  readonly failure: string | null;
}

/** A server whose threads can be sampled. */
export interface ProfiledServer extends RunningServer {
  readonly sampler: Sampler;
}

/** A testbed in which servers can be started. */
export interface OpenTestbed extends AsyncDisposable {
  /** What was known of the machine before anything was started. */
  readonly machine: MachineFacts;
  readonly pinning: Pinning | null;
  /** Null if there is none. */
  readonly database: TestbedDatabase | null;
  readonly facts: Facts;
  /** Load generators that earlier runs have chosen. */
  readonly drivers: Drivers;
  /** @param connections how many a load opens at most */
  host(connections: number): Host;
  /** Of the folder that the run was started in. */
  commit(): Promise<Commit | null>;
  /** Of everything that takes part in a run. */
  versions(
    variants: readonly Variant[],
    generators: readonly PresentGenerator[],
  ): Promise<Readonly<Record<string, string>>>;
  /** Looks which servers can be had, and builds those that need it. */
  prepare(
    servers: readonly Server[],
    onProgress: ProgressListener,
    signal: AbortSignal,
  ): Promise<readonly PreparedServer[]>;
  /** Starts a server and waits until it answers. */
  launch(server: Server, env: Readonly<Record<string, string>>): Promise<RunningServer>;
  /** Starts a server with its inspector, which must not be one whose figures count. */
  launchProfiled(server: Server, env: Readonly<Record<string, string>>): Promise<ProfiledServer>;
  /** @throws {Failure} if something that every trial needs has ended, such as the database. */
  assertSound(): Promise<void>;
  /** Begins to count what the database does, and returns what ends that; null where it cannot be told. */
  countStatements(): Promise<(() => Promise<DatabaseActivity>) | null>;
  /** Begins to watch a server. */
  watch(options: ProbeOptions): Probe;
  /** What a load generator reaches against the null server with small responses. */
  ceilingOf(
    generator: PresentGenerator,
    load: Pick<Load, "connections" | "shards">,
    signal: AbortSignal,
  ): Promise<Ceiling>;
  /** Load generators that are ready to drive windows. */
  pool(generators: readonly PresentGenerator[]): Generators;
}

/** The database of a testbed. */
export interface TestbedDatabase {
  /** Without its password. */
  readonly label: string;
  /** Of the embedded one; null if it was there before. */
  readonly pid: number | null;
}

/** Load generators at work, by their ids. */
export interface Generators extends AsyncDisposable {
  /** Drives one window. */
  measure(
    id: string,
    job: WindowJob,
    signal: AbortSignal,
    listener: WindowListener,
  ): Promise<Measurement>;
  /** Drives a closed loop beside a window of another load, with Stampede's own driver. */
  measureBeside(job: WindowJob, signal: AbortSignal): Promise<Measurement>;
  /** Loads servers that are alive at once in turn, with Stampede's own driver. */
  slices(job: SlicesJob, signal: AbortSignal): Promise<Slices>;
  /** What Stampede's own open loop says of a server whose response times theory knows. */
  checkOpenLoop(open: OpenLoad, connections: number, signal: AbortSignal): Promise<OpenCheck>;
  /** A generator's ceiling for a job; null where it cannot be measured. */
  ceiling(
    id: string,
    job: WindowJob,
    response: HttpResponse,
    signal: AbortSignal,
  ): Promise<Ceiling | null>;
}
