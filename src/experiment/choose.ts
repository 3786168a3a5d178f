import { resolve } from "node:path";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { UsageError } from "../model/errors.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { readCatalog, readManifest } from "../target/catalog.ts";

/**
 * The things with these ids, in the order of `all`; no ids means all of them.
 *
 * @throws {UsageError} naming an id that there is not, and those that there are.
 */
export function choose<T extends { readonly id: string }>(
  what: string,
  ids: readonly string[],
  all: readonly T[],
): T[] {
  const unknown = ids.find((id) => !all.some((item) => item.id === id));
  if (unknown !== undefined) {
    const known = all.map(({ id }) => id).join(", ");
    const hint = /[:/.]/.test(unknown) ? "a URL begins with http://" : "or see bench --help";
    throw new UsageError(`There is no ${what} "${unknown}": choose from ${known} (${hint})`);
  }
  return ids.length === 0 ? [...all] : all.filter(({ id }) => ids.includes(id));
}

/**
 * The scenarios with these ids; no ids means those that are measured by default.
 *
 * @throws {UsageError} naming an id that there is not.
 */
export function chooseScenarios(what: string, ids: readonly string[]): Scenario[] {
  return choose(what, ids, SCENARIOS).filter(({ isDefault }) => isDefault || ids.length > 0);
}

/** Options that name servers. */
export interface ServerChoice {
  /** Ids, separated by commas, or `all`. */
  readonly servers?: string;
  /** Manifests. */
  readonly server?: readonly string[];
}

/** What is measured if nobody says otherwise. */
const DEFAULT_SERVER = "deno";

/**
 * The servers that are asked for: those of the suite, then those that are given by their manifests.
 *
 * @throws {UsageError} for what there is not.
 */
export async function chooseServers({ servers, server = [] }: ServerChoice): Promise<Server[]> {
  const own = await Promise.all(server.map((path) => readManifest(fromCaller(path))));
  const text = servers ?? (own.length > 0 ? null : DEFAULT_SERVER);
  const catalog = [...(await readCatalog()).values()];
  const chosen = text === null ? [] : choose("server", serverIds(text), catalog);
  const targets = [...chosen, ...own];
  const twice = targets.find(({ id }, i) => targets.findIndex((other) => other.id === id) < i);
  if (twice !== undefined) {
    throw new UsageError(`Cannot measure two servers of the name "${twice.id}"`);
  }
  return targets;
}

/** The ids in the text of `--servers`; `all` is no ids, which means all. */
function serverIds(text: string): string[] {
  const ids = text.split(",").map((id) => id.trim()).filter(Boolean);
  if (ids.length === 0) throw new UsageError("Cannot read --servers: name a server, or all");
  return ids.includes("all") ? [] : ids;
}

/** A path as the person gave it: `deno task` starts in another folder than theirs. */
export function fromCaller(path: string): string {
  return path && resolve(Deno.env.get("INIT_CWD") || Deno.cwd(), path);
}
