/** What happens before the first window: servers are built, and the run's facts are collected. */
import { cpus, release } from "node:os";
import denoConfig from "../../deno.json" with { type: "json" };
import type { ResultContext } from "../analysis/derive_results.ts";
import { type Available, workersOf } from "../analysis/summaries.ts";
import { diagnose } from "../machine/diagnose.ts";
import type { MachineFacts } from "../machine/facts.ts";
import { usableCores } from "../machine/quota.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Note } from "../model/events.ts";
import type { Experiment, Variant } from "../model/experiment.ts";
import { needsDatabase } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { sizeOf } from "../process/files.ts";
import { git } from "../process/git.ts";
import type { ProcessScope } from "../process/scope.ts";
import { build, forgetOldBuilds } from "../target/build.ts";
import type { Toolchain } from "../target/toolchain.ts";
import type { PresentGenerator } from "./generator_pool.ts";
import type { RunStart } from "./run_context.ts";
import type { OpenTestbed, PreparedServer, ProgressListener, TestbedNeeds } from "./testbed.ts";

/** Stampede's version. */
export const VERSION: string = denoConfig.version;

/**
 * Returns the testbed that an experiment needs. Servers of slices run at the same time, so their
 * database connections add up.
 */
export function needsOf({ variants, scenarios, load, design }: Experiment): TestbedNeeds {
  const each = variants.map(({ env }) =>
    Math.max(Number(env.DB_POOL ?? 1), Number(env.WORKERS ?? 1))
  );
  return {
    database: scenarios.some(needsDatabase),
    databaseConnections: design.slices === null
      ? Math.max(...each)
      : each.reduce((sum, connections) => sum + connections, 0),
    pins: design.pins,
    tls: load.tls,
  };
}

/**
 * Checks which servers this machine can run, and builds those that need it, one after the other.
 *
 * @throws the reason of `context.abort` if that signal is aborted.
 */
export async function prepareServers(
  servers: readonly Server[],
  context: PrepareContext,
): Promise<PreparedServer[]> {
  const missing = await Promise.all(servers.map((server) => context.toolchain.missing(server)));
  const prepared: PreparedServer[] = [];
  for (const [i, server] of servers.entries()) {
    const skipped = missing[i] ?? null;
    prepared.push(
      skipped === null ? await buildServer(server, context) : { server, skipped, failure: null },
    );
  }
  return prepared;
}

/** Inputs for preparing servers. */
interface PrepareContext {
  readonly scope: ProcessScope;
  readonly toolchain: Toolchain;
  readonly cache: string | null;
  readonly onProgress: ProgressListener;
  readonly abort: AbortSignal;
}

async function buildServer(server: Server, context: PrepareContext): Promise<PreparedServer> {
  const { onProgress, abort, cache } = context;
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
    const built = await build(server, {
      ...context,
      onCommand: (_server, next) => {
        if (command === null) note({ kind: "building", server: name });
        command = next;
        building(null);
      },
      onOutput: (_server, line) => building(line.trim()),
      onWait: () => note({ kind: "build-in-use", server: name }),
    });
    if (command !== null) {
      note({ kind: "built", server: name, tookS: tookS(), bytes: await sizeOf(built.folder) });
      if (cache !== null) await forgetOldBuilds(cache);
    }
    return { server: built, skipped: null, failure: null };
  } catch (error) {
    abort.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { server, skipped: null, failure: messageOf(error) };
  }
}

/**
 * Checks which variants this machine can run, and builds their servers. Returns the requested
 * variants (`asked`), those that can be measured, and the reference if it can be measured.
 *
 * @throws {Failure} if no server can be measured, or if a required one cannot.
 * @throws {UsageError} if no server implements any of the scenarios.
 */
export async function prepareVariants(
  { experiment: { variants, reference, scenarios, design }, testbed, emit, signal }: RunStart,
): Promise<{
  readonly asked: readonly Available[];
  readonly variants: readonly Variant[];
  readonly reference: Variant | null;
}> {
  const all = reference === null ? variants : [...variants, reference];
  const prepared = await testbed.prepare(all.map(({ server }) => server), emit, signal);
  const known = prepared.map((one, i) => ({
    variant: { ...all[i] as Variant, server: one.server },
    skipped: one.skipped,
    failure: one.failure,
    problem: one.skipped === null ? one.failure : `skipped: ${one.skipped}`,
  }));
  const asked = known.slice(0, variants.length);
  const there = asked.filter(({ problem }) => problem === null).map(({ variant }) => variant);
  const bare = known[variants.length];
  if (bare && bare.problem !== null) {
    const { variant: { server }, problem: reason } = bare;
    await emit({ kind: "note", note: { kind: "no-reference", server: server.name, reason } });
  }
  if (there.length === 0 || (design.needsAll && there.length < asked.length)) {
    const reasons = asked.filter(({ problem }) => problem !== null)
      .map(({ variant, problem }) => `${variant.id}: ${problem}`);
    throw new Failure(["There is no server to measure", ...reasons].join("\n"));
  }
  if (!there.some(({ server }) => scenarios.some(({ id }) => id in server.scenarios))) {
    throw new UsageError("No server implements any of the scenarios");
  }
  return { asked, variants: there, reference: bare?.problem === null ? bare.variant : null };
}

/** Returns the facts about a run from which its results are derived. */
export function contextOf(
  experiment: Experiment,
  variants: readonly Variant[],
  generators: readonly PresentGenerator[],
  { machine, pinning }: OpenTestbed,
): ResultContext {
  const usable = usableCores(machine);
  const singleThreaded = generators.filter(({ generator }) => generator.threads === "one");
  const inTurns = variants.filter(({ server }) => server.takesTurns);
  return {
    cores: {
      machine: usable < machine.logicalCpus ? null : machine.logicalCpus,
      server: pinning?.server.length ?? usable,
      database: pinning?.database?.length ?? usable,
      generator: pinning?.generator.length ?? usable,
    },
    variants: experiment.variants.map(({ id }) => id),
    threads: new Map(singleThreaded.map(({ generator }) => [generator.id, 1])),
    turns: new Map(
      inTurns.map(({ id, server, env }) => [id, workersOf(server, env) ?? Infinity]),
    ),
    needs: new Map(experiment.scenarios.map((scenario) => [scenario.id, scenario])),
    fallback: experiment.design.fallback,
  };
}

/** Describes the machine, the commit of a folder (null without git), and the programs of a run. */
export async function describeRun(
  { machine, folder, toolchain, postgres }: {
    readonly machine: MachineFacts;
    readonly folder: string;
    readonly toolchain: Toolchain;
    /** Version of the database; null without a database. */
    readonly postgres: string | null;
  },
  ...[variants, generators, connections]: Parameters<OpenTestbed["describe"]>
): ReturnType<OpenTestbed["describe"]> {
  const processors = cpus();
  const host = {
    os: Deno.build.os,
    arch: Deno.build.arch,
    kernel: release(),
    cpuModel: processors[0]?.model.trim() || "unknown",
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
    ...(postgres !== null && { postgresql: postgres }),
  };
  for (const { id, server } of variants) {
    for (const [name, command] of Object.entries(server.versions)) {
      const version = await toolchain.versionOf(command, server.folder);
      if (version !== null) versions[`${id}: ${name}`] = version;
    }
  }
  return { host, commit, versions };
}
