import { distance } from "fastest-levenshtein";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { UsageError } from "../model/errors.ts";
import type { Scenario } from "../model/scenario.ts";
import { hideUrl } from "../model/secrets.ts";
import type { Server } from "../model/server.ts";
import { readCatalog, readManifest } from "../target/catalog.ts";
import { speaks } from "./generator_tls.ts";
import { alpnOf, DEFAULT_SERVER, REFERENCE_SERVER } from "./options.ts";
import { withIsolation } from "./isolation.ts";
import { readMix, withMixes } from "./mix.ts";
import { readScenario } from "./scenario_file.ts";
import { isUrl, readUrls, type RequestOptions } from "./url_target.ts";

/** What is measured. */
export interface Selection {
  readonly servers: readonly Server[];
  readonly scenarios: readonly Scenario[];
  /** What costs are counted in; null: nothing. */
  readonly reference: Server | null;
}

/** Options that name servers. */
export interface ServerOptions {
  /** Ids, separated by commas, or `all`. */
  readonly servers?: string;
  /** Paths of manifests. */
  readonly server?: readonly string[];
  /** Of `all`, only those that speak it are chosen. */
  readonly tls?: boolean;
  readonly http2?: boolean;
}

/** Options that say what is measured, beside the arguments. */
export interface SelectOptions extends ServerOptions, RequestOptions {
  /** Paths of modules. */
  readonly scenario?: readonly string[];
  /** Mixes, such as `db=80,updates=20`. */
  readonly mix?: readonly string[];
  /** A state of the server that is measured in the place of its manifest. */
  readonly head?: string;
}

/** Makes the path of a file out of what the person wrote. */
export type Resolve = (path: string) => string;

/** Options that mean something with a URL only. */
const REQUEST_OPTIONS = ["data", "header", "request", "pid"] as const;

/**
 * What is measured: scenarios at servers that have manifests, or at servers that run already, or what
 * URLs ask of these.
 *
 * @param args scenario ids and URLs
 * @throws {UsageError} for what there is not, and what does not go together.
 */
export async function select(
  args: readonly string[],
  options: SelectOptions,
  resolve: Resolve,
): Promise<Selection> {
  const urls = args.filter(isUrl);
  const ids = args.filter((argument) => !isUrl(argument));
  const given = await readScenarios(options, resolve);
  const mixes = (options.mix ?? []).map((mix) => readMix(mix, given));
  // A file that is a part of a mix is not measured by itself, too
  const isPart = ({ id }: Scenario): boolean =>
    mixes.some(({ mix }) => mix?.some(({ scenario }) => scenario.id === id));
  const files = [...given.filter((scenario) => !isPart(scenario)), ...mixes];
  const isDefault = urls.length === 0 && files.length === 0;
  const named = isDefault || ids.length > 0 ? pickScenarios("scenario or command", ids) : [];
  const scenarios = [...named, ...files];
  const twice = repeated(scenarios);
  if (twice) throw new UsageError(`Cannot measure two scenarios of the name "${twice.id}"`);
  if (urls.length > 0) {
    if (options.servers !== undefined || options.server !== undefined) {
      throw new UsageError("Cannot measure URLs beside servers that have manifests");
    }
    return await readUrls(urls, options, scenarios, resolve);
  }
  const stray = REQUEST_OPTIONS.find((name) => options[name] !== undefined);
  if (stray !== undefined) {
    const hint = stray === "data" ? " (the duration is -z)" : "";
    throw new UsageError(`Cannot use --${stray} without a URL${hint}`);
  }
  const catalog = await readCatalog();
  const reference = catalog.get(REFERENCE_SERVER) ?? null;
  const servers = (await selectServers(options, resolve))
    .map((server) => withMixes(withIsolation(server), scenarios));
  for (const server of servers) {
    const isOwn = catalog.get(server.id)?.folder !== server.folder;
    if (isOwn && options.head === undefined) assertSomeAsked(server, scenarios);
  }
  return { servers, scenarios, reference };
}

/**
 * @throws {UsageError} if a server implements nothing that is asked for, or names a scenario nearly as one of
 * Stampede's that it does not name.
 */
function assertSomeAsked(
  { id, scenarios }: Server,
  asked: readonly Scenario[],
): void {
  const ids = SCENARIOS.map((scenario) => scenario.id);
  const names = Object.keys(scenarios);
  const isAsked = (name: string): boolean => asked.some(({ id }) => id === name);
  const strange = names.filter((name) => !ids.includes(name) && !isAsked(name));
  for (const name of strange) {
    const meant = closest(name, ids);
    if (meant === null || meant in scenarios) continue;
    throw new UsageError(
      `The manifest of ${id} names the scenario "${name}": did you mean ${meant}? One of yours needs its --scenario`,
    );
  }
  if (names.some(isAsked)) return;
  const hint = strange.length === 0
    ? "ask for one of these"
    : `${strange.join(", ")} is none of Stampede's: name its file by --scenario`;
  throw new UsageError(
    `The manifest of ${id} names none of the scenarios that are asked for (${
      asked.map((scenario) => scenario.id).join(", ")
    }): its "scenarios" are ${names.join(", ") || "empty"} (${hint})`,
  );
}

/**
 * The servers that are asked for: those of the suite, then those that are given by their manifests.
 *
 * @throws {UsageError} for what there is not.
 */
export async function selectServers(options: ServerOptions, resolve: Resolve): Promise<Server[]> {
  const paths = options.server ?? [];
  const own = await Promise.all(paths.map((path) => readManifest(resolve(path))));
  const text = options.servers ?? (own.length > 0 ? null : DEFAULT_SERVER);
  const catalog = [...(await readCatalog()).values()];
  const talking = catalog.filter((server) => speaks(server, alpnOf(options)));
  const chosen = text === null ? [] : pick("server", serverIds(text, talking), catalog);
  const servers = [...chosen, ...own];
  const twice = repeated(servers);
  if (twice) throw new UsageError(`Cannot measure two servers of the name "${twice.id}"`);
  return servers;
}

/** The scenarios in files of the person's own. */
export function readScenarios(
  { scenario: paths = [] }: Pick<SelectOptions, "scenario">,
  resolve: Resolve,
): Promise<Scenario[]> {
  return Promise.all(paths.map((path) => readScenario(resolve(path))));
}

/** How many letters a word may differ in from the one that was meant. */
const SLIPS = 2;

/** The word that was probably meant; null if none is like it. */
export function closest(word: string, known: readonly string[]): string | null {
  const near = known.map((one) => ({ one, slips: distance(word, one) }))
    .filter(({ one, slips }) => slips <= SLIPS && slips <= one.length / 2)
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.one ?? null;
}

/**
 * The things with these ids, in the order of `all`; no ids means all of them.
 *
 * @throws {UsageError} naming an id that there is not, and those that there are.
 */
export function pick<T extends { readonly id: string }>(
  what: string,
  ids: readonly string[],
  all: readonly T[],
): T[] {
  const unknown = ids.find((id) => !all.some((item) => item.id === id));
  if (unknown !== undefined) {
    const known = all.map(({ id }) => id).join(", ");
    const meant = closest(unknown, all.map(({ id }) => id));
    const elsewhere = meantElsewhere(unknown);
    if (elsewhere !== null) {
      throw new UsageError(`There is no ${what} "${hideUrl(unknown)}": did you mean ${elsewhere}?`);
    }
    throw new UsageError(
      meant === null
        ? `There is no ${what} "${hideUrl(unknown)}": choose from ${known} (or see bench --help)`
        : `There is no ${what} "${unknown}": did you mean ${meant}? There are ${known}`,
    );
  }
  return ids.length === 0 ? [...all] : all.filter(({ id }) => ids.includes(id));
}

/** A host with a port or a domain, and what may follow it; `:3000` is a port of this machine. */
const HOST = /^(localhost|\[[0-9a-f:.]+\]|[a-z0-9-]+(\.[a-z0-9-]+)*)?(:\d+)?(\/\S*)?$/i;

/** Guesses the meaning of a word that is not an id: a URL without its scheme, or a file. */
function meantElsewhere(word: string): string | null {
  if (/\.[mc]?[jt]s$/.test(word)) return `--scenario ${word}`;
  if (/(^|\/)server\.json$/.test(word)) return `--server ${word}`;
  const [, host = "", domain, port] = HOST.exec(word) ?? [];
  if (port === undefined && domain === undefined && host !== "localhost") return null;
  return hideUrl(`http://${host === "" ? "127.0.0.1" : ""}${word}`);
}

/** The scenarios with these ids; no ids means those that are measured by default. */
function pickScenarios(what: string, ids: readonly string[]): Scenario[] {
  return pick(what, ids, SCENARIOS).filter(({ isDefault }) => isDefault || ids.length > 0);
}

/** The ids in the text of `--servers`, where `all` stands for each. */
function serverIds(text: string, all: readonly Server[]): string[] {
  const ids = text.split(",").map((id) => id.trim()).filter(Boolean);
  if (ids.length === 0) throw new UsageError("Cannot read --servers: name a server, or all");
  return ids.flatMap((id) => id === "all" ? all.map(({ id }) => id) : [id]);
}

function repeated<T extends { readonly id: string }>(things: readonly T[]): T | undefined {
  return things.find(({ id }, i) => things.findIndex((other) => other.id === id) < i);
}
