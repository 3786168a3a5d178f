import { cpus, release } from "node:os";
import denoConfig from "../../deno.json" with { type: "json" };
import type { ResultContext } from "../analysis/derive_results.ts";
import { type Available, workersOf } from "../analysis/summaries.ts";
import { diagnose } from "../machine/diagnose.ts";
import type { MachineFacts } from "../machine/facts.ts";
import { usableCores } from "../machine/quota.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Experiment, Variant } from "../model/experiment.ts";
import type { Commit, Host } from "../model/report.ts";
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

/** Inputs for preparing servers. */
interface PrepareContext {
  readonly scope: ProcessScope;
  readonly toolchain: Toolchain;
  readonly cache: string | null;
  readonly onProgress: ProgressListener;
  readonly abort: AbortSignal;
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
  const { toolchain } = context;
  const reasons = await Promise.all(servers.map((server) => toolchain.missing(server)));
  const prepared: PreparedServer[] = [];
  for (const [i, server] of servers.entries()) {
    const skipped = reasons[i] ?? null;
    prepared.push(
      skipped === null ? await prepare(server, context) : { server, skipped, failure: null },
    );
  }
  return prepared;
}

async function prepare(server: Server, context: PrepareContext): Promise<PreparedServer> {
  const { onProgress, abort } = context;
  const startedMs = performance.now();
  const tookS = (): number => (performance.now() - startedMs) / 1000;
  const { name } = server;
  let command: string | null = null;
  const building = (line: string | null): void =>
    onProgress({
      kind: "phase",
      phase: { kind: "building", server: name, command, line, tookS: tookS() },
    });
  try {
    const built = await build(server, {
      ...context,
      onCommand: (_server, next) => {
        if (command === null) {
          onProgress({ kind: "note", note: { kind: "building", server: name } });
        }
        command = next;
        building(null);
      },
      onOutput: (_server, line) => building(line.trim()),
      onWait: () => onProgress({ kind: "note", note: { kind: "build-in-use", server: name } }),
    });
    if (command !== null) {
      const note = { kind: "built", server: name, tookS: tookS() } as const;
      onProgress({ kind: "note", note: { ...note, bytes: await sizeOf(built.folder) } });
      if (context.cache !== null) await forgetOldBuilds(context.cache);
    }
    return { server: built, skipped: null, failure: null };
  } catch (error) {
    abort.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { server, skipped: null, failure: messageOf(error) };
  }
}

/** The requested variants, the ones that can be measured, and the reference. */
interface PreparedVariants {
  readonly asked: readonly Available[];
  readonly variants: readonly Variant[];
  /** The reference; null if the experiment has none, or if it cannot be measured. */
  readonly reference: Variant | null;
}

/**
 * Returns the testbed that an experiment needs. Servers of slices run at the same time, so their database
 * connections add up.
 */
export function needsOf({ variants, scenarios, load, design }: Experiment): TestbedNeeds {
  const of = ({ env }: Variant): number =>
    Math.max(Number(env.DB_POOL ?? 1), Number(env.WORKERS ?? 1));
  const each = variants.map(of);
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
 * Checks which servers this machine can run, and builds those that need it.
 *
 * @throws {Failure} if no server can be measured, or if a required one cannot.
 * @throws {UsageError} if no server implements any of the scenarios.
 */
export async function prepareVariants(
  { experiment: { variants, reference, scenarios, design }, testbed, emit, signal }: RunStart,
): Promise<PreparedVariants> {
  const all = reference === null ? variants : [...variants, reference];
  const prepared = await testbed.prepare(all.map(({ server }) => server), emit, signal);
  const known = prepared.map(({ server, skipped, failure }, i): Available => ({
    variant: { ...all[i] as Variant, server },
    skipped,
    failure,
  }));
  const isThere = (one: Available): boolean => whyNot(one) === null;
  const asked = known.slice(0, variants.length);
  const [own] = known.slice(variants.length);
  const reason = own === undefined ? null : whyNot(own);
  if (own !== undefined && reason !== null) {
    const server = own.variant.server.name;
    await emit({ kind: "note", note: { kind: "no-reference", server, reason } });
  }
  const there = asked.filter(isThere);
  if (there.length === 0 || (design.needsAll && there.length < asked.length)) {
    throw new Failure(missingServers(asked));
  }
  if (
    !there.some(({ variant: { server } }) => scenarios.some(({ id }) => id in server.scenarios))
  ) {
    throw new UsageError("No server implements any of the scenarios");
  }
  return {
    asked,
    variants: there.map(({ variant }) => variant),
    reference: own !== undefined && reason === null ? own.variant : null,
  };
}

/** Returns the facts about a run from which its results are derived. */
export function contextOf(
  experiment: Experiment,
  variants: readonly Variant[],
  generators: readonly PresentGenerator[],
  { machine, pinning }: OpenTestbed,
): ResultContext {
  const usable = usableCores(machine);
  const cores = machine.logicalCpus;
  return {
    cores: {
      machine: usable < cores ? null : cores,
      server: pinning?.server.length ?? usable,
      database: pinning?.database?.length ?? usable,
      generator: pinning?.generator.length ?? usable,
    },
    variants: experiment.variants.map(({ id }) => id),
    threads: new Map(
      generators.filter(({ generator }) => generator.threads === "one")
        .map(({ generator }) => [generator.id, 1]),
    ),
    turns: new Map(
      variants.filter(({ server }) => server.takesTurns)
        .map(({ id, server, env }) => [id, workersOf(server, env) ?? Infinity]),
    ),
    needs: new Map(experiment.scenarios.map((scenario) => [scenario.id, scenario])),
    fallback: experiment.design.fallback,
  };
}

function missingServers(servers: readonly Available[]): string {
  const reasons = servers.flatMap((server) => {
    const reason = whyNot(server);
    return reason === null ? [] : [`${server.variant.id}: ${reason}`];
  });
  return ["There is no server to measure", ...reasons].join("\n");
}

/** Returns why a server cannot be measured; null if it can. */
function whyNot({ skipped, failure }: Available): string | null {
  return skipped === null ? failure : `skipped: ${skipped}`;
}

/** Stampede's version. */
export const VERSION: string = denoConfig.version;

/**
 * Describes this machine.
 *
 * @param connections maximum number of connections of a load
 */
export function describeHost(machine: MachineFacts, connections: number): Host {
  const processors = cpus();
  return {
    os: Deno.build.os,
    arch: Deno.build.arch,
    kernel: release(),
    cpuModel: processors[0]?.model.trim() || "unknown",
    cores: processors.length,
    memoryBytes: Deno.systemMemoryInfo().total,
    findings: diagnose(machine, { connections }),
  };
}

/** Returns the versions of every program that takes part in a run. */
export async function collectVersions(
  variants: readonly Variant[],
  generators: readonly PresentGenerator[],
  toolchain: Toolchain,
  postgres: string | null,
): Promise<Record<string, string>> {
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
  return versions;
}

/** Returns the commit of a folder; null without git or outside a git work tree. */
export async function commitOf(folder: string): Promise<Commit | null> {
  const id = await git(folder, ["rev-parse", "HEAD"]);
  const changes = await git(folder, ["status", "--porcelain", "--untracked-files=no"]);
  return id === null || changes === null ? null : { id, isDirty: changes !== "" };
}
