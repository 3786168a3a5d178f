import { cpus, release } from "node:os";
import denoConfig from "../../deno.json" with { type: "json" };
import type { Commit, Host } from "../model/report.ts";
import { diagnose } from "../machine/diagnose.ts";
import type { MachineFacts } from "../machine/facts.ts";
import type { Variant } from "../model/experiment.ts";
import { git } from "../process/git.ts";
import type { PresentGenerator } from "./generator_pool.ts";
import type { Toolchain } from "../target/toolchain.ts";

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
