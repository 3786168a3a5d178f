/**
 * Remembers between runs which load generator was chosen for each server and scenario on this machine.
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Trial, Variant } from "../model/experiment.ts";
import type { Host } from "../model/report.ts";
import type { Scenario } from "../model/scenario.ts";

/** Maximum number of stored choices. It limits the size of the file; the oldest choices are dropped. */
const MOST_KEPT = 1000;

/** The load generators that pilot windows have chosen, by the key of {@linkcode choiceKey}. */
export interface GeneratorChoices {
  /** Returns the id of the chosen load generator, or undefined if none was chosen. */
  get(key: string): string | undefined;
  /** Stores choices for later runs. If they cannot be written, they are lost without an error. */
  keep(choices: ReadonlyMap<string, string>): Promise<void>;
}

/**
 * Returns the key under which a choice is stored. It depends on machine, program versions, server,
 * request and load. The key is a hash, because a request may contain secrets.
 */
export function choiceKey(
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

/** Stores choices in a JSON file. */
export class StoredChoices implements GeneratorChoices {
  readonly #path: string | null;
  #choices: ReadonlyMap<string, string>;

  private constructor(path: string | null, choices: ReadonlyMap<string, string>) {
    this.#path = path;
    this.#choices = choices;
  }

  /**
   * Reads the choices from a file. A missing or damaged file counts as empty.
   *
   * @param path null stores nothing
   */
  static async open(path: string | null): Promise<StoredChoices> {
    return new StoredChoices(path, path === null ? new Map() : await read(path));
  }

  get(key: string): string | undefined {
    return this.#choices.get(key);
  }

  async keep(choices: ReadonlyMap<string, string>): Promise<void> {
    const path = this.#path;
    if (path === null || choices.size === 0) return;
    // Another run may have stored choices in the meantime.
    const all = [...await read(path), ...choices].slice(-MOST_KEPT);
    this.#choices = new Map(all);
    const temporary = `${path}.${Deno.pid}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(temporary, JSON.stringify(Object.fromEntries(all), null, 1) + "\n");
      await Deno.rename(temporary, path);
    } catch {
      // Without the file, the next run repeats the pilot windows.
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
