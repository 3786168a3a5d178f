import { join } from "node:path";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import type { ProcessScope } from "../process/scope.ts";
import type { Available } from "../analysis/servers.ts";
import { build, forgetOldBuilds } from "../target/build.ts";
import type { Toolchain } from "../target/toolchain.ts";
import { fromCaller } from "../experiment/choose.ts";

/** What making servers ready needs, and who hears of it. */
export interface PrepareContext {
  readonly scope: ProcessScope;
  readonly toolchain: Toolchain;
  readonly cache: string;
  /** What is being done now, which the next thing replaces. */
  readonly onPhase: (text: string) => void;
  /** What stays. */
  readonly onNote: (text: string) => void;
  readonly abort: AbortSignal;
}

/**
 * Looks which servers can be had here, and builds those that need it, one after the other.
 *
 * @throws the reason of `abort`.
 */
export async function prepareServers(
  targets: readonly Server[],
  context: PrepareContext,
): Promise<Available[]> {
  const { toolchain } = context;
  const reasons = await Promise.all(targets.map((target) => toolchain.missing(target)));
  const servers: Available[] = [];
  for (const [i, target] of targets.entries()) {
    const skipped = reasons[i] ?? null;
    servers.push(
      skipped === null ? await prepare(target, context) : { target, skipped, failure: null },
    );
  }
  return servers;
}

async function prepare(target: Server, context: PrepareContext): Promise<Available> {
  const { onPhase, onNote, abort } = context;
  const startedMs = performance.now();
  let doing = "";
  const tookS = (): string => `${Math.round((performance.now() - startedMs) / 1000)} s`;
  try {
    const built = await build(target, {
      ...context,
      onCommand: (_target, command) => {
        if (doing === "") onNote(`Building ${target.name}, which later runs need not do again`);
        doing = `Building ${target.name}: ${command}`;
        onPhase(doing);
      },
      onOutput: (_target, line) =>
        onPhase(`${doing || `Building ${target.name}`} (${tookS()}) ${line.trim()}`),
    });
    if (doing !== "") {
      onNote(`Built ${target.name} in ${tookS()}`);
      await forgetOldBuilds(context.cache);
    }
    return { target: built, skipped: null, failure: null };
  } catch (error) {
    abort.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { target, skipped: null, failure: messageOf(error) };
  }
}

/** Where builds are kept: as the person says, or else where the system keeps such things. */
export function cacheFolder(option: string | undefined): string {
  if (option) return join(fromCaller(option), "stampede", "builds");
  const env = (name: string): string => Deno.env.get(name) ?? "";
  const home = env("HOME");
  const places: Partial<Record<typeof Deno.build.os, string>> = {
    darwin: home && join(home, "Library", "Caches"),
    windows: env("LOCALAPPDATA"),
  };
  const place = places[Deno.build.os] ?? (env("XDG_CACHE_HOME") || (home && join(home, ".cache")));
  if (!place) {
    throw new UsageError("There is no place to build servers in: set --cache, or HOME");
  }
  return join(place, "stampede", "builds");
}
