/** The testbed of real runs: this machine with its processes, a database and load generators. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { connect } from "../database/client.ts";
import { type Database, foreignDatabase, provideDatabase } from "../database/provide.ts";
import { activityBetween, readStatements } from "../database/tables.ts";
import { Metronome } from "../load/metronome.ts";
import { Probe } from "../load/probe.ts";
import { type MachineFacts, readMachine } from "../machine/facts.ts";
import { awakeCpus, planPinning } from "../machine/pinning.ts";
import { Failure } from "../model/errors.ts";
import type { Pinning } from "../model/report.ts";
import type { Facts } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { Child } from "../process/child.ts";
import { ProcessScope } from "../process/scope.ts";
import { useTls } from "../process/tls_client.ts";
import { attach, launch, type LaunchOptions } from "../target/launch.ts";
import { inspected, samplerOf } from "../target/sampler.ts";
import { Toolchain } from "../target/toolchain.ts";
import { openChoices } from "./choose_generators.ts";
import { HostileClients } from "./faults/hostile_clients.ts";
import { ceilingOf, findGenerators, startGenerators } from "./generator_pool.ts";
import { describeRun, prepareServers } from "./prepare.ts";
import type { OpenTestbed, ProgressListener, Testbed, TestbedNeeds } from "./testbed.ts";

/** Name of the file with the chosen load generators. The file is next to the folder of builds. */
export const CHOICES_FILE = "generators.json";

/** Path of the file that `/delay` returns. */
const HELLO = fileURLToPath(new URL("../../hello.html", import.meta.url));
const PUBLIC = fileURLToPath(new URL("../../public", import.meta.url));

/** Options of a testbed on this machine. */
export interface LocalTestbedOptions {
  readonly origin: Testbed["origin"];
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

  get origin(): Testbed["origin"] {
    return this.#options.origin;
  }

  nowMs(): number {
    return performance.now();
  }

  generators(): ReturnType<Testbed["generators"]> {
    return findGenerators();
  }

  async open(needs: TestbedNeeds, onProgress: ProgressListener): Promise<OpenLocalTestbed> {
    const { env, allowRemoteDatabase: allowRemote, cache, folder } = this.#options;
    const machine = readMachine();
    const isOurs = needs.database && foreignDatabase({ env, allowRemote }) === null;
    const pinning = needs.pins ? pinningOf(machine, isOurs, onProgress) : null;
    await using started = new AsyncDisposableStack();
    const scope = started.use(new ProcessScope());
    if (needs.tls !== null) {
      started.use(await useTls(needs.tls, await scope.makeFolder()));
    }
    let database: Database | null = null;
    if (needs.database) {
      onProgress({ kind: "phase", phase: { kind: "database" } });
      database = await provideDatabase(scope, {
        env,
        allowRemote,
        connections: needs.databaseConnections,
        cpus: pinning?.database ?? null,
        onChosen: (label, isEmbedded) =>
          onProgress({ kind: "note", note: { kind: "database", label, isEmbedded } }),
      });
    }
    const client = database && started.use(await connect(database.address));
    const facts: Facts = {
      helloHtml: await Deno.readTextFile(HELLO),
      rows: (sql, values) => {
        if (client === null) throw new Failure("There is no database in this run");
        return client.query(sql, values);
      },
    };
    const generatorChoices = await openChoices(cache && join(dirname(cache), CHOICES_FILE));
    const toolchain = new Toolchain();
    const { process = null, version: postgres = null } = database ?? {};
    const launch = launcher({ scope, database, pinning, facts });
    let metronome: Metronome | null = null;
    const all = started.move();
    return {
      machine,
      pinning,
      generatorChoices,
      facts,
      database: database && { label: database.address.label, pid: process?.pid ?? null, process },
      describe: (...of) => describeRun({ machine, folder, toolchain, postgres }, ...of),
      prepare: (servers, onProgress, abort) =>
        prepareServers(servers, { scope, cache, toolchain, onProgress, abort }),
      launch,
      launchProfiled: (server, env) => launchProfiled(launch, server, env),
      assertSound: async () => {
        if (!process?.hasEnded) return;
        await process.ended;
        throw new Failure(`PostgreSQL ${process.howItEnded}: nothing more can be measured`);
      },
      countStatements: async () => {
        if (client === null || process === null) return null;
        const before = await readStatements(client);
        return async () => activityBetween(before, await readStatements(client));
      },
      watch: (options) => new Probe(metronome ??= all.use(new Metronome()), options),
      ceilingOf: (generator, load, signal) => ceilingOf(scope, generator, load, signal),
      pool: (generators) =>
        startGenerators(scope, generators, pinning, awakeCpus(machine), process?.pid ?? null),
      hostileClients: () => new HostileClients(scope),
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  }
}

/** Returns a function that starts servers with everything that they need from the testbed. */
function launcher(
  { scope, database, pinning, facts }: Pick<OpenTestbed, "pinning" | "facts"> & {
    readonly scope: ProcessScope;
    readonly database: Database | null;
  },
): OpenLocalTestbed["launch"] {
  return (server, env, options = {}) => {
    if (server.attached !== null) return attach(server.attached);
    return launch(scope, server, {
      database: database?.address ?? null,
      env: { HELLO_HTML: HELLO, STATIC_FOLDER: PUBLIC, ...env },
      cpus: pinning?.server ?? null,
      ...rightResponse(server, facts),
      ...options,
    });
  };
}

async function launchProfiled(
  launch: OpenLocalTestbed["launch"],
  server: Server,
  env: Readonly<Record<string, string>>,
): ReturnType<OpenTestbed["launchProfiled"]> {
  let log = "";
  const running = await launch(inspected(server).server ?? server, env, {
    onLog: (text) => void (log += text),
  });
  try {
    const sampler = await samplerOf(() => log, running.pid);
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

/** Returns the processors of each component; null, after a note, if there are too few. */
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

/** This machine with everything that servers need: processes, a database and TLS. */
interface OpenLocalTestbed extends OpenTestbed {
  readonly database:
    | NonNullable<OpenTestbed["database"]> & { readonly process: Child | null }
    | null;
  /** Starts a server and waits until it answers. */
  launch(
    server: Server,
    env: Readonly<Record<string, string>>,
    options?: Pick<LaunchOptions, "at" | "onLog">,
  ): ReturnType<OpenTestbed["launch"]>;
  /** Starts the clients that harm servers to test faults. */
  hostileClients(): HostileClients;
}

/**
 * Returns a check of the first response of a starting server: that of the scenario with the same
 * request as the manifest's readiness check. Returns no check without such a scenario.
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
