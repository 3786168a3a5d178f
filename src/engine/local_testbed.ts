import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { connect, type DatabaseClient } from "../database/client.ts";
import { type Database, foreignDatabase, provideDatabase } from "../database/provide.ts";
import { activityBetween, readStatements } from "../database/tables.ts";
import { Metronome } from "../load/metronome.ts";
import { Probe, type ProbeOptions } from "../load/probe.ts";
import type { MachineFacts } from "../machine/facts.ts";
import { planPinning } from "../machine/pinning.ts";
import { awakeCpus } from "../machine/quota.ts";
import { readMachine } from "../machine/read_machine.ts";
import { Failure } from "../model/errors.ts";
import type { Load, Variant } from "../model/experiment.ts";
import type { Ceiling, DatabaseActivity } from "../model/raw.ts";
import type { Commit, Host, Pinning } from "../model/report.ts";
import type { Facts } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { Child } from "../process/child.ts";
import { ProcessScope } from "../process/scope.ts";
import { prepareTls, useTls } from "../process/tls_client.ts";
import { inspected, V8Sampler } from "../target/sampler.ts";
import {
  attach,
  launch,
  type LaunchOptions,
  type ListenAddress,
  type RunningServer,
} from "../target/launch.ts";
import { Toolchain } from "../target/toolchain.ts";
import {
  ceilingOf,
  findGenerators,
  type GeneratorChoices,
  GeneratorPool,
  type GeneratorStatus,
  type PresentGenerator,
} from "./generator_pool.ts";
import { StoredChoices } from "./choose_generators.ts";
import { HostileClients } from "./faults/fault_list.ts";
import { collectVersions, commitOf, describeHost, prepareServers } from "./prepare.ts";
import type {
  OpenTestbed,
  Origin,
  PreparedServer,
  ProfiledServer,
  ProgressListener,
  Testbed,
  TestbedNeeds,
} from "./testbed.ts";

/** Name of the file with the chosen load generators. The file is next to the folder of builds. */
export const CHOICES_FILE = "generators.json";

/** Path of the file that `/delay` returns. */
const HELLO = fileURLToPath(new URL("../../hello.html", import.meta.url));
const PUBLIC = fileURLToPath(new URL("../../public", import.meta.url));

/** Options of a testbed on this machine. */
export interface LocalTestbedOptions {
  readonly origin: Origin;
  /** Returns the value of an environment variable. Some variables name a database. */
  readonly env: (name: string) => string | undefined;
  readonly allowRemoteDatabase: boolean;
  /** Folder of all builds; null without a cache. */
  readonly cache: string | null;
  /** Folder in which the run was started. The report records its commit. */
  readonly folder: string;
}

/** This machine: real processes, a real database and real load. */
export class LocalTestbed implements Testbed {
  readonly #options: LocalTestbedOptions;

  constructor(options: LocalTestbedOptions) {
    this.#options = options;
  }

  get origin(): Origin {
    return this.#options.origin;
  }

  nowMs(): number {
    return performance.now();
  }

  generators(): Promise<GeneratorStatus[]> {
    return findGenerators();
  }

  async open(needs: TestbedNeeds, onProgress: ProgressListener): Promise<OpenLocalTestbed> {
    const { env, allowRemoteDatabase: allowRemote } = this.#options;
    const machine = readMachine();
    const isOurs = needs.database && foreignDatabase({ env, allowRemote }) === null;
    const pinning = needs.pins ? pinningOf(machine, isOurs, onProgress) : null;
    const scope = new ProcessScope();
    let tls: Disposable | null = null;
    try {
      if (needs.tls !== null) {
        tls = useTls(await prepareTls(needs.tls, await scope.makeFolder()));
      }
      if (needs.database) onProgress({ kind: "phase", phase: { kind: "database" } });
      const database = needs.database
        ? await provideDatabase(scope, {
          env,
          allowRemote,
          connections: needs.databaseConnections,
          cpus: pinning?.database ?? null,
          onChosen: (label, isEmbedded) =>
            onProgress({ kind: "note", note: { kind: "database", label, isEmbedded } }),
        })
        : null;
      const client = database && await connect(database.address);
      const { cache, folder } = this.#options;
      return new OpenLocalTestbed({
        cache,
        folder,
        generatorChoices: await StoredChoices.open(cache && join(dirname(cache), CHOICES_FILE)),
        machine,
        pinning,
        scope,
        tls,
        source: database,
        client,
        helloHtml: await Deno.readTextFile(HELLO),
      });
    } catch (error) {
      tls?.[Symbol.dispose]();
      await scope[Symbol.asyncDispose]();
      throw error;
    }
  }
}

/** Returns the processors of each component. Returns null and notes the reason if the machine has too few. */
function pinningOf(
  machine: MachineFacts,
  database: boolean,
  onProgress: ProgressListener,
): Pinning | null {
  const pinning = planPinning(machine, { database });
  if (!("reason" in pinning)) return pinning;
  onProgress({ kind: "note", note: { kind: "unpinned", reason: pinning.reason } });
  return null;
}

/** The components of an open testbed. */
interface TestbedParts extends Pick<LocalTestbedOptions, "cache" | "folder"> {
  readonly machine: MachineFacts;
  readonly generatorChoices: GeneratorChoices;
  readonly pinning: Pinning | null;
  readonly scope: ProcessScope;
  /** Stops using TLS; null without TLS. */
  readonly tls: Disposable | null;
  readonly source: Database | null;
  readonly client: DatabaseClient | null;
  readonly helloHtml: string;
}

/** This machine with everything that servers need: processes, a database and TLS. */
class OpenLocalTestbed implements OpenTestbed {
  readonly #parts: TestbedParts;
  readonly #toolchain: Toolchain = new Toolchain();
  #metronome: Metronome | null = null;

  constructor(parts: TestbedParts) {
    this.#parts = parts;
  }

  get machine(): MachineFacts {
    return this.#parts.machine;
  }

  get generatorChoices(): GeneratorChoices {
    return this.#parts.generatorChoices;
  }

  get pinning(): Pinning | null {
    return this.#parts.pinning;
  }

  get database(): { label: string; pid: number | null; process: Child | null } | null {
    const { source } = this.#parts;
    if (source === null) return null;
    const { address: { label }, process } = source;
    return { label, pid: process?.pid ?? null, process };
  }

  get facts(): Facts {
    const { client, helloHtml } = this.#parts;
    return {
      helloHtml,
      rows: (sql, values) => {
        if (client === null) throw new Failure("There is no database in this run");
        return client.query(sql, values);
      },
    };
  }

  host(connections: number): Host {
    return describeHost(this.machine, connections);
  }

  commit(): Promise<Commit | null> {
    return commitOf(this.#parts.folder);
  }

  versions(
    variants: readonly Variant[],
    generators: readonly PresentGenerator[],
  ): Promise<Record<string, string>> {
    const postgres = this.#parts.source?.version ?? null;
    return collectVersions(variants, generators, this.#toolchain, postgres);
  }

  prepare(
    servers: readonly Server[],
    onProgress: ProgressListener,
    abort: AbortSignal,
  ): Promise<PreparedServer[]> {
    const { scope, cache } = this.#parts;
    return prepareServers(servers, { scope, cache, toolchain: this.#toolchain, onProgress, abort });
  }

  /**
   * Starts a server.
   *
   * @param at address to listen on; the default is a free port of 127.0.0.1
   * @param onLog receives the server's standard error
   */
  launch(
    server: Server,
    env: Readonly<Record<string, string>>,
    at?: ListenAddress,
    onLog?: (text: string) => void,
  ): Promise<RunningServer> {
    if (server.attached !== null) return attach(server.attached);
    const { scope, source, pinning } = this.#parts;
    return launch(scope, server, {
      databaseUrl: source?.address.url ?? null,
      databaseHostPort: source?.address.hostPort ?? null,
      env: { HELLO_HTML: HELLO, STATIC_FOLDER: PUBLIC, ...env },
      cpus: pinning?.server ?? null,
      ...rightResponse(server, this.facts),
      ...(onLog && { onLog }),
    }, at);
  }

  async launchProfiled(
    server: Server,
    env: Readonly<Record<string, string>>,
  ): Promise<ProfiledServer> {
    let log = "";
    const own = inspected(server).server ?? server;
    const running = await this.launch(own, env, undefined, (text) => log += text);
    try {
      const sampler = await V8Sampler.connect(() => log, running.pid);
      return {
        ...running,
        sampler,
        [Symbol.asyncDispose]: async () => {
          sampler[Symbol.dispose]();
          await running[Symbol.asyncDispose]();
        },
      };
    } catch (error) {
      await running[Symbol.asyncDispose]();
      throw error;
    }
  }

  async assertSound(): Promise<void> {
    const process = this.database?.process;
    if (!process?.hasEnded) return;
    await process.ended;
    throw new Failure(`PostgreSQL ${process.howItEnded}: nothing more can be measured`);
  }

  async countStatements(): Promise<(() => Promise<DatabaseActivity>) | null> {
    const { client, source } = this.#parts;
    if (client === null || !source?.process) return null;
    const before = await readStatements(client);
    return async () => activityBetween(before, await readStatements(client));
  }

  watch(options: ProbeOptions): Probe {
    this.#metronome ??= new Metronome();
    return new Probe(this.#metronome, options);
  }

  ceilingOf(
    generator: PresentGenerator,
    load: Pick<Load, "connections" | "shards">,
    signal: AbortSignal,
  ): Promise<Ceiling> {
    return ceilingOf(this.#parts.scope, generator, load, signal);
  }

  pool(generators: readonly PresentGenerator[]): GeneratorPool {
    return new GeneratorPool(
      this.#parts.scope,
      generators,
      this.pinning,
      awakeCpus(this.machine),
      this.database?.pid ?? null,
    );
  }

  /** Starts the clients that harm servers to test faults. */
  hostileClients(): HostileClients {
    return new HostileClients(this.#parts.scope);
  }

  /** Stops everything and removes temporary files. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#metronome?.[Symbol.dispose]();
    await this.#parts.client?.close();
    this.#parts.tls?.[Symbol.dispose]();
    await this.#parts.scope[Symbol.asyncDispose]();
  }
}

/**
 * Returns a check of the first response of a starting server: the check of the scenario with the same request
 * as the manifest's readiness check. Without such a scenario, it returns no check.
 */
function rightResponse(server: Server, facts: Facts): Pick<LaunchOptions, "isRight"> {
  const scenario = SCENARIOS.find(({ id, request }) =>
    id in server.scenarios && request.method === "GET" && request.path === server.ready.path
  );
  if (scenario === undefined) return {};
  return {
    isRight: (response) => {
      try {
        scenario.expect(response, facts);
        return true;
      } catch {
        return false;
      }
    },
  };
}
