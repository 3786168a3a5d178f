import { Failure, messageOf } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import { sizeOf } from "../process/folder.ts";
import type { ProcessScope } from "../process/scope.ts";
import { build, forgetOldBuilds } from "../target/build.ts";
import type { Toolchain } from "../target/toolchain.ts";
import type { PreparedServer, ProgressListener } from "./testbed.ts";

/** Inputs for preparing servers. */
export interface PrepareContext {
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
