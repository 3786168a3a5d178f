/** Builds servers, and describes the machine and the programs of a run. */
import { cpus, release } from "node:os";
import denoConfig from "../../deno.json" with { type: "json" };
import { diagnose } from "../machine/diagnose.ts";
import type { MachineFacts } from "../machine/facts.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { Note } from "../model/events.ts";
import type { Server } from "../model/server.ts";
import { sizeOf } from "../process/files.ts";
import { git } from "../process/git.ts";
import type { ProcessScope } from "../process/scope.ts";
import { build, forgetOldBuilds } from "../target/build.ts";
import type { Toolchain } from "../target/toolchain.ts";
import type { OpenTestbed, PreparedServer, ProgressListener } from "./testbed.ts";

/** Stampede's version. */
export const VERSION: string = denoConfig.version;

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
      onCommand: (next) => {
        if (command === null) note({ kind: "building", server: name });
        command = next;
        building(null);
      },
      onOutput: (line) => building(line.trim()),
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
