import { cpus, release } from "node:os";
import denoConfig from "../../deno.json" with { type: "json" };
import type { Host } from "../report.ts";
import { diagnose } from "../machine/diagnose.ts";
import type { MachineFacts } from "../machine/facts.ts";
import type { Target } from "../model.ts";
import type { Toolchain } from "../target/toolchain.ts";

/** Stampede's own version. */
export const VERSION: string = denoConfig.version;

/**
 * The machine that this runs on.
 *
 * @param connections how many a load opens at most
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

/** The versions of everything that takes part in a run. */
export async function collectVersions(
  targets: readonly Target[],
  toolchain: Toolchain,
  generators: readonly {
    readonly generator: { readonly id: string };
    readonly found: { readonly version: string };
  }[],
  postgres: string | null,
): Promise<Record<string, string>> {
  const versions: Record<string, string> = {
    stampede: VERSION,
    deno: Deno.version.deno,
    ...Object.fromEntries(generators.map(({ generator, found }) => [generator.id, found.version])),
    ...(postgres !== null && { postgresql: postgres }),
  };
  for (const target of targets) {
    for (const [name, command] of Object.entries(target.versions)) {
      const version = await toolchain.versionOf(command, target.folder);
      if (version !== null) versions[`${target.id}: ${name}`] = version;
    }
  }
  return versions;
}
