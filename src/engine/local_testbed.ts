/** The testbed of real runs: this machine with its processes, a database and load generators. */
import { cpus, release } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SCENARIOS } from "../../scenarios/mod.ts";
import denoConfig from "../../deno.json" with { type: "json" };
import { connect } from "../database/client.ts";
import { type Database, foreignDatabase, provideDatabase } from "../database/provide.ts";
import { countStatements } from "../database/tables.ts";
import { Metronome } from "../load/metronome.ts";
import { Probe } from "../load/probe.ts";
import { diagnose } from "../machine/diagnose.ts";
import { cpuModelOf, readMachine } from "../machine/facts.ts";
import { awakeCpus, planPinning } from "../machine/pinning.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { Note } from "../model/events.ts";
import type { Facts } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { freePort } from "../process/connect.ts";
import { sizeOf } from "../process/files.ts";
import { git } from "../process/git.ts";
import { ProcessScope } from "../process/scope.ts";
import { useTls } from "../process/tls_client.ts";
import { build, forgetOldBuilds } from "../target/build.ts";
import { attach, launch, type LaunchOptions } from "../target/launch.ts";
import { provideRelease } from "../target/runtimes.ts";
import { INSPECT, inspected, samplerOf } from "../target/sampler.ts";
import { Toolchain } from "../target/toolchain.ts";
import { NotCounted, processesOf, traceCalls, traceSends } from "../target/tracer.ts";
import { openChoices } from "./choose_generators.ts";
import { HostileClients } from "./faults/hostile_clients.ts";
import { ceilingOf, findGenerators, startGenerators } from "./generator_pool.ts";
import type {
  OpenTestbed,
  PreparedServer,
  ProgressListener,
  Testbed,
  TestbedNeeds,
} from "./testbed.ts";

/** Stampede's version. */
export const VERSION: string = denoConfig.version;
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
  readonly origin: Testbed["origin"];
  readonly generators: Testbed["generators"] = findGenerators;
  readonly #options: LocalTestbedOptions;

  constructor(options: LocalTestbedOptions) {
    this.origin = options.origin;
    this.#options = options;
  }

  nowMs(): number {
    return performance.now();
  }

  async open(
    needs: TestbedNeeds,
    onProgress: ProgressListener,
    abort?: AbortSignal,
  ): Promise<OpenLocalTestbed> {
    const { env, allowRemoteDatabase: allowRemote, cache, folder } = this.#options;
    const machine = readMachine();
    const isOurs = needs.database && foreignDatabase({ env, allowRemote }) === null;
    const pins = needs.pins ? planPinning(machine, { database: isOurs }) : null;
    const pinning = pins !== null && "server" in pins ? pins : null;
    if (pins !== null && "reason" in pins) {
      onProgress({ kind: "note", note: { kind: "unpinned", reason: pins.reason } });
    }
    await using started = new AsyncDisposableStack();
    const scope = started.use(new ProcessScope());
    if (needs.tls !== null) started.use(await useTls(needs.tls, await scope.makeFolder()));
    let database: Database | null = null;
    if (needs.database) {
      onProgress({ kind: "phase", phase: { kind: "database" } });
      database = await provideDatabase(scope, {
        env,
        allowRemote,
        connections: needs.databaseConnections,
        cpus: pinning?.database ?? null,
        ...(abort && { abort }),
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
    // The file is next to the folder of builds
    const generatorChoices = await openChoices(cache && join(dirname(cache), "generators.json"));
    const toolchain = new Toolchain();
    const process = database?.process ?? null;
    const start: OpenLocalTestbed["launch"] = (server, env, options = {}) => {
      if (server.attached !== null) return attach(server.attached, abort);
      return launch(scope, server, {
        database: database?.address ?? null,
        env: { HELLO_HTML: HELLO, STATIC_FOLDER: PUBLIC, ...env },
        cpus: pinning?.server ?? null,
        ...rightResponse(server, facts),
        ...(abort && { abort }),
        ...options,
      });
    };
    let metronome: Metronome | null = null;
    let traceFolder: string | null = null;
    const all = started.move();
    return {
      machine,
      pinning,
      generatorChoices,
      facts,
      database,
      describe: (...of) => describeRun({ machine, folder, toolchain, database }, ...of),
      prepare: async (servers, onProgress, abort) => {
        const missing = await Promise.all(servers.map((server) => toolchain.missing(server)));
        return await Array.fromAsync(servers, async (server, i) => {
          const skipped = missing[i] ?? null;
          if (skipped !== null) return { server, skipped, failure: null };
          return await buildServer(server, { scope, cache, toolchain, abort }, onProgress);
        });
      },
      launch: start,
      launchProfiled: (...args) => launchProfiled(start, ...args),
      traceCalls: async (...args) =>
        await traceCalls(scope, traceFolder ??= await scope.makeFolder(), ...args),
      traceSends: async ({ origin, pid }, during) => {
        if (pid === null) throw new NotCounted("its process is unknown");
        const portOf = (url: string): string => new URL(url).port;
        const ports = {
          served: portOf(origin),
          database: database && portOf(`http://${database.address.hostPort}`),
        };
        traceFolder ??= await scope.makeFolder();
        return await traceSends(ports, scope, traceFolder, processesOf(pid), during);
      },
      assertSound: async () => {
        if (!process?.hasEnded) return;
        await process.ended;
        throw new Failure(`PostgreSQL ${process.howItEnded}: nothing more can be measured`);
      },
      countStatements: async () =>
        client === null || process === null ? null : await countStatements(client),
      watch: (options) => new Probe(metronome ??= all.use(new Metronome()), options),
      ceilingOf: (...args) => ceilingOf(scope, ...args),
      pool: (generators) =>
        startGenerators(scope, generators, pinning, awakeCpus(machine), process?.pid ?? null),
      hostileClients: () => new HostileClients(scope),
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  }
}

async function launchProfiled(
  start: OpenLocalTestbed["launch"],
  ...[server, env, isExact]: Parameters<OpenTestbed["launchProfiled"]>
): ReturnType<OpenTestbed["launchProfiled"]> {
  let log = "";
  await using stack = new AsyncDisposableStack();
  const onLog = (text: string): void => void (log += text);
  const shown = inspected(server, isExact).server ?? server;
  // Deno before 2.6 prints the port 0 instead of the one that the system chose
  const at = server.release?.runtime === "deno"
    ? INSPECT.replace(/0$/, String(freePort()))
    : INSPECT;
  const argv = shown.start.map((argument) => argument === INSPECT ? at : argument);
  const running = stack.use(await start({ ...shown, start: argv }, env, { onLog }));
  const sampler = stack.use(await samplerOf(() => log, running.pid, isExact));
  const all = stack.move();
  return { ...running, sampler, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** This machine, ready for servers. */
interface OpenLocalTestbed extends OpenTestbed {
  launch(
    ...args: [...Parameters<OpenTestbed["launch"]>, options?: Pick<LaunchOptions, "at" | "onLog">]
  ): ReturnType<OpenTestbed["launch"]>;
  /** Starts the clients that harm servers to test faults. */
  hostileClients(): HostileClients;
}

/** Returns a check of a starting server's first response, if a scenario has the same request. */
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

async function buildServer(
  server: Server,
  context: Omit<Parameters<typeof build>[1], "onCommand" | "onOutput" | "onWait">,
  onProgress: ProgressListener,
): Promise<PreparedServer> {
  const { abort, cache } = context;
  const { name } = server;
  const startedMs = performance.now();
  const tookS = (): number => (performance.now() - startedMs) / 1000;
  let command: string | null = null;
  const building = (line: string | null): void => {
    const phase = { kind: "building", server: name, command, line, tookS: tookS() } as const;
    onProgress({ kind: "phase", phase });
  };
  const note = (note: Note): void => onProgress({ kind: "note", note });
  try {
    const heard = {
      ...context,
      onCommand: (next: string) => {
        if (command === null) note({ kind: "building", server: name });
        command = next;
        building(null);
      },
      onOutput: (line: string) => building(line.trim()),
      onWait: () => note({ kind: "build-in-use", server: name }),
    };
    const built = await build(server, heard);
    if (command !== null) {
      note({ kind: "built", server: name, tookS: tookS(), bytes: await sizeOf(built.folder) });
      if (cache !== null) await forgetOldBuilds(cache);
    }
    return { server: await provideRelease(built, heard), skipped: null, failure: null };
  } catch (error) {
    abort.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { server, skipped: null, failure: messageOf(error) };
  }
}

/** Describes the machine, the commit of a folder (null without git), and the programs of a run. */
async function describeRun(
  { machine, folder, toolchain, database }:
    & Pick<OpenTestbed, "machine" | "database">
    & { readonly folder: string; readonly toolchain: Toolchain },
  ...[variants, generators, connections]: Parameters<OpenTestbed["describe"]>
): ReturnType<OpenTestbed["describe"]> {
  const processors = cpus();
  const host = {
    os: Deno.build.os,
    arch: Deno.build.arch,
    kernel: release(),
    cpuModel: cpuModelOf(processors[0]?.model.trim() || "unknown", machine),
    cores: processors.length,
    memoryBytes: Deno.systemMemoryInfo().total,
    findings: diagnose(machine, { connections }),
  };
  const id = await git(folder, ["rev-parse", "HEAD"]);
  const changes = await git(folder, ["status", "--porcelain", "--untracked-files=no"]);
  const commit = id === null || changes === null ? null : { id, isDirty: changes !== "" };
  const versions: Record<string, string> = {
    stampede: VERSION,
    deno: Deno.version.deno,
    ...Object.fromEntries(generators.map(({ generator, found }) => [generator.id, found.version])),
    ...(database && { postgresql: database.version }),
  };
  for (const { id, server } of variants) {
    for (const [name, command] of Object.entries(server.versions)) {
      const version = await toolchain.versionOf(command, server.folder);
      if (version !== null) versions[`${id}: ${name}`] = version;
    }
  }
  return { host, commit, versions };
}
