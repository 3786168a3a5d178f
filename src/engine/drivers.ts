/** The load generator of each server and scenario on this machine, kept from run to run. */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Trial, Variant } from "../model/experiment.ts";
import type { Host } from "../model/report.ts";
import type { Scenario } from "../model/scenario.ts";

/** More are not kept: the oldest are dropped. */
const MOST_KEPT = 1000;

/** Choices of load generators by what they depend on. */
export interface Drivers {
  /** The load generator that was chosen; undefined: none was. */
  get(key: string): string | undefined;
  /** Keeps choices for later runs, as far as the system allows. */
  keep(choices: ReadonlyMap<string, string>): Promise<void>;
}

/**
 * Names what a choice depends on: the machine, the programs' versions, the server, the request and the load. A hash,
 * since a request may hold secrets.
 */
export function driverKey(
  { host, versions }: { readonly host: Host; readonly versions: Readonly<Record<string, string>> },
  { server, env }: Variant,
  scenario: Scenario,
  { load, generator }: Trial,
): string {
  const { os, arch, cpuModel, cores } = host;
  const parts = [
    [os, arch, cpuModel, cores],
    [versions.stampede, versions.deno, generator, versions[generator]],
    [server.id, server.attached, server.folder, env],
    [scenario.id, scenario.request],
    [load.connections, load.shards],
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** Choices in a file, as JSON. */
export class KeptDrivers implements Drivers {
  readonly #path: string | null;
  #choices: ReadonlyMap<string, string>;

  private constructor(path: string | null, choices: ReadonlyMap<string, string>) {
    this.#path = path;
    this.#choices = choices;
  }

  /** Reads them; a file that is not there, or damaged, holds none. @param path null: nothing is kept */
  static async open(path: string | null): Promise<KeptDrivers> {
    return new KeptDrivers(path, path === null ? new Map() : await read(path));
  }

  get(key: string): string | undefined {
    return this.#choices.get(key);
  }

  async keep(choices: ReadonlyMap<string, string>): Promise<void> {
    const path = this.#path;
    if (path === null || choices.size === 0) return;
    // Another run may have kept some meanwhile
    const all = [...await read(path), ...choices].slice(-MOST_KEPT);
    this.#choices = new Map(all);
    const temporary = `${path}.${Deno.pid}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(temporary, JSON.stringify(Object.fromEntries(all), null, 1) + "\n");
      await Deno.rename(temporary, path);
    } catch {
      // Without it the next run runs pilot windows again
      await Deno.remove(temporary).catch(() => {});
    }
  }
}

async function read(path: string): Promise<Map<string, string>> {
  try {
    const choices: unknown = JSON.parse(await Deno.readTextFile(path));
    const entries = typeof choices === "object" && choices !== null ? Object.entries(choices) : [];
    return new Map(entries.filter((entry) => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}
