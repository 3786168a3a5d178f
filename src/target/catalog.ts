import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../model/errors.ts";
import type { Server } from "../model/server.ts";
import { PLACEHOLDER } from "./command.ts";
import schema from "../../docs/server.schema.json" with { type: "json" };

const PEERS = new URL("../../peers/", import.meta.url);
const isManifest = new Ajv2020({ useDefaults: true, allErrors: true }).compile(schema);

/**
 * Every server that has a manifest, by id.
 *
 * @throws {UsageError} naming the manifest that cannot be read.
 */
export async function readCatalog(): Promise<ReadonlyMap<string, Server>> {
  const folder = fileURLToPath(PEERS);
  const targets: Server[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const path = join(folder, name, "server.json");
    // A folder without a manifest holds sources that several servers share.
    if (await exists(path)) targets.push(await readManifest(path));
  }
  targets.sort((a, b) => a.id < b.id ? -1 : 1);
  return new Map(targets.map((target) => [target.id, target]));
}

/** Reads one manifest, or the one in a folder. */
export async function readManifest(at: string): Promise<Server> {
  const isFolder = await Deno.stat(at).then(({ isDirectory }) => isDirectory, () => false);
  const path = isFolder ? join(at, "server.json") : at;
  const manifest = await parse(path);
  if (!isManifest(manifest)) {
    throw new UsageError(
      `Cannot use ${path}: ${(isManifest.errors ?? []).map(describe).join("; ")}`,
    );
  }
  const folder = dirname(path);
  const target = { ...(manifest as unknown as Server), folder, settings: {}, attached: null };
  const unknown = unknownPlaceholder(target);
  if (unknown !== undefined) {
    throw new UsageError(`Cannot use ${path}: nothing is known to stand for ${unknown}`);
  }
  if (target.id !== basename(folder)) {
    throw new UsageError(`Cannot use ${path}: its id "${target.id}" is not its folder's name`);
  }
  return target;
}

/** What is wrong, with the name of what should not be there, or what may be. */
function describe({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, allowedValues } = params;
  const more = additionalProperty ?? allowedValues?.join(", ");
  return `${instancePath || "it"} ${message}${more === undefined ? "" : `: ${more}`}`;
}

const AT_START = ["HOST", "PORT", "DATABASE", "WORKERS", "DB_POOL", "CPU_WORKERS", "HELLO_HTML"];
const AT_BUILD = ["TEMP"];

/** What stands in braces in a manifest's commands and has no meaning. */
function unknownPlaceholder({ start, env, prepare }: Server): string | undefined {
  const find = (texts: readonly string[], known: readonly string[]): string | undefined =>
    texts.flatMap((text) => text.match(PLACEHOLDER) ?? [])
      .find((found) => !known.includes(found.slice(1, -1)));
  return find([...start, ...Object.values(env)], AT_START) ?? find(prepare.flat(), AT_BUILD);
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
