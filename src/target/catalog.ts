import { Ajv2020 } from "ajv/dist/2020.js";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../errors.ts";
import type { Target } from "../model.ts";
import schema from "../../docs/server.schema.json" with { type: "json" };

const PEERS = new URL("../../peers/", import.meta.url);
const isManifest = new Ajv2020({ useDefaults: true }).compile(schema);

/**
 * Every server that has a manifest, by id.
 *
 * @throws {UsageError} naming the manifest that cannot be read.
 */
export async function readCatalog(): Promise<ReadonlyMap<string, Target>> {
  const folder = fileURLToPath(PEERS);
  const targets: Target[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const path = join(folder, name, "server.json");
    // A folder without a manifest holds sources that several servers share.
    if (await exists(path)) targets.push(await readManifest(path));
  }
  targets.sort((a, b) => a.id < b.id ? -1 : 1);
  return new Map(targets.map((target) => [target.id, target]));
}

/** Reads one manifest. */
export async function readManifest(path: string): Promise<Target> {
  const manifest = await parse(path);
  if (!isManifest(manifest)) {
    const [error] = isManifest.errors ?? [];
    throw new UsageError(`Cannot use ${path}: ${error?.instancePath || "it"} ${error?.message}`);
  }
  const folder = dirname(path);
  const target = { ...(manifest as unknown as Target), folder, attached: null };
  if (target.id !== basename(folder)) {
    throw new UsageError(`Cannot use ${path}: its id "${target.id}" is not its folder's name`);
  }
  return target;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function parse(path: string): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    throw new UsageError(`Cannot read the manifest ${path}: ${(error as Error).message}`);
  }
}
