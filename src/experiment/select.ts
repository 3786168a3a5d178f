/** Selects the servers and scenarios of a command, and corrects misspelt words. */
import { distance } from "fastest-levenshtein";
import { INLINE_PRIMES, isolation, isolationInline } from "../../scenarios/isolation.ts";
import { mixScenarios } from "../../scenarios/mix.ts";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { primes } from "../../scenarios/primes.ts";
import { text } from "../../scenarios/text.ts";
import { UsageError } from "../model/errors.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { hideUrl, oneLine } from "../model/text.ts";
import { readCatalog, readManifest } from "../target/catalog.ts";
import { alpnOf, type Selection, type TlsOptions } from "./options.ts";
import { readScenario } from "./scenario_file.ts";
import { isUrl, readUrls, type RequestOptions, type Resolve } from "./url_target.ts";

/** Id of the server that is measured by default. */
export const DEFAULT_SERVER = "deno";
const REFERENCE_SERVER = "deno-bare";

/** Options that name servers. With TLS or HTTP/2, `all` includes only servers that speak it. */
export interface ServerOptions extends TlsOptions {
  /** Ids of servers, separated by commas, or `all`. */
  readonly servers?: string;
  readonly server?: readonly string[];
}

/** Options for the servers and scenarios to measure, in addition to the arguments. */
export interface SelectOptions extends ServerOptions, RequestOptions {
  /** Paths of the user's modules, each of which exports a scenario. */
  readonly scenario?: readonly string[];
  /** Mixes, such as `db=80,updates=20`. */
  readonly mix?: readonly string[];
  /** A revision of the server that is measured instead of the current files, or a manifest. */
  readonly head?: string;
}

/**
 * Selects servers and scenarios by ids of scenarios and URLs. Without scenarios, the URLs themselves
 * are requested. Throws a `UsageError` for unknown names and contradictions.
 */
export async function select(
  args: readonly string[],
  options: SelectOptions,
  resolve: Resolve,
): Promise<Selection> {
  const urls = args.filter(isUrl);
  const ids = args.filter((argument) => !isUrl(argument));
  const given = await readScenarios(options.scenario ?? [], resolve);
  const mixes = (options.mix ?? []).map((mix) => readMix(mix, given));
  const parts = mixes.flatMap(({ mix = [] }) => mix.map(({ scenario }) => scenario.id));
  // A file that is part of a mix is not measured separately
  const files = [...given.filter(({ id }) => !parts.includes(id)), ...mixes];
  const named = ids.length === 0 ? [] : pick("scenario or command", ids, SCENARIOS);
  const asked = [...named, ...files];
  const isDefault = urls.length === 0 && asked.length === 0;
  const scenarios = isDefault ? SCENARIOS.filter(({ isDefault }) => isDefault) : asked;
  assertDistinct("scenarios", scenarios);
  if (urls.length > 0) {
    if (options.servers !== undefined || options.server !== undefined) {
      throw new UsageError("Cannot measure URLs together with servers that have manifests");
    }
    return await readUrls(urls, options, scenarios, resolve);
  }
  const ofUrls = ["data", "header", "request", "pid"] as const;
  const stray = ofUrls.find((name) => options[name] !== undefined);
  if (stray !== undefined) {
    const hint = stray === "data" ? " (the duration is -z)" : "";
    throw new UsageError(`Cannot use --${stray} without a URL${hint}`);
  }
  const catalog = await readCatalog();
  const reference = catalog.get(REFERENCE_SERVER) ?? null;
  const servers = (await selectServers(options, resolve))
    .map((server) => withCombinations(server, scenarios));
  for (const server of servers) {
    const isOwn = catalog.get(server.id)?.folder !== server.folder;
    if (isOwn && options.head === undefined) assertSomeAsked(server, scenarios);
  }
  return { servers, scenarios, reference };
}

/** Parses a mix, such as `db=80,updates=20`, also of the user's `own` scenarios. */
export function readMix(text: string, own: readonly Scenario[] = []): Scenario {
  return mixScenarios(
    text.split(",").map((part) => {
      const [, id, weight] = /^\s*([\w./-]+)\s*=\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(part) ?? [];
      if (id === undefined) {
        throw new UsageError(
          `Cannot read "${oneLine(part).slice(0, 40)}" of --mix: write it as db=80,updates=20`,
        );
      }
      const scenario = [...own, ...SCENARIOS].find((one) => one.id === id);
      if (scenario === undefined) {
        throw new UsageError(`Cannot read --mix: there is no scenario "${id}"`);
      }
      return { scenario, weight: Number(weight) };
    }),
  );
}

/**
 * Adds to a server the mixes of which it implements all parts, and the isolation scenarios: `text` while
 * others request `primes`. The one with the suffix `-inline` is for servers that may compute primes on
 * the responding thread (`inline` in the manifest).
 */
export function withCombinations(server: Server, asked: readonly Scenario[]): Server {
  const { scenarios } = server;
  const has = ({ id }: Scenario): boolean => id in scenarios;
  const isInline = scenarios[primes.id]?.inline === INLINE_PRIMES;
  const both = isInline ? [isolation, isolationInline] : [isolation];
  const isolations = has(text) && has(primes) ? both : [];
  const mixes = asked.filter(({ mix }) => mix?.every(({ scenario }) => has(scenario)));
  const added = Object.fromEntries([...isolations, ...mixes].map(({ id }) => [id, {}]));
  return { ...server, scenarios: { ...scenarios, ...added } };
}

/** Throws a {@linkcode UsageError} if a server implements no requested scenario, or misspells an id. */
function assertSomeAsked({ id, scenarios }: Server, asked: readonly Scenario[]): void {
  const ids = SCENARIOS.map((scenario) => scenario.id);
  const names = Object.keys(scenarios);
  const isAsked = (name: string): boolean => asked.some(({ id }) => id === name);
  const strange = names.filter((name) => !ids.includes(name) && !isAsked(name));
  for (const name of strange) {
    const meant = closest(name, ids);
    if (meant === null || meant in scenarios) continue;
    throw new UsageError(
      `The manifest of ${id} names the scenario "${name}": did you mean ${meant}? Your own scenarios need --scenario`,
    );
  }
  if (names.some(isAsked)) return;
  const hint = strange.length === 0
    ? "choose one of these"
    : `${strange.join(", ")} is not one of Stampede's: name its file with --scenario`;
  const requested = asked.map((scenario) => scenario.id).join(", ");
  throw new UsageError(
    `The manifest of ${id} names none of the requested scenarios (${requested}): its "scenarios" are ${
      names.join(", ") || "empty"
    } (${hint})`,
  );
}

/** Selects servers: those of the suite, then those of the given manifests. */
export async function selectServers(options: ServerOptions, resolve: Resolve): Promise<Server[]> {
  const paths = options.server ?? [];
  const own = await Promise.all(paths.map((path) => readManifest(resolve(path))));
  const text = options.servers ?? (own.length > 0 ? null : DEFAULT_SERVER);
  const catalog = [...(await readCatalog()).values()];
  const words = text?.split(",").map((id) => id.trim()).filter(Boolean) ?? [];
  if (text !== null && words.length === 0) {
    throw new UsageError("Cannot read --servers: name a server, or all");
  }
  const alpn = alpnOf(options);
  const all = catalog.filter(({ tls }) => alpn === null || tls.includes(alpn)).map(({ id }) => id);
  const ids = words.flatMap((word) => word === "all" ? all : [word]);
  const servers = [...(text === null ? [] : pick("server", ids, catalog)), ...own];
  assertDistinct("servers", servers);
  return servers;
}

function assertDistinct(what: string, things: readonly { readonly id: string }[]): void {
  const twice = things.find(({ id }, i) => things.findIndex((other) => other.id === id) < i);
  if (twice) throw new UsageError(`Cannot measure two ${what} with the name "${twice.id}"`);
}

/** Loads the user's scenario files. */
export function readScenarios(paths: readonly string[], resolve: Resolve): Promise<Scenario[]> {
  return Promise.all(paths.map((path) => readScenario(resolve(path))));
}

/** Maximum number of changed, missing or surplus letters of a misspelt word. */
const SLIPS = 2;

/** Returns the known word that a typed one may mean; null if none is similar enough. */
export function closest(word: string, known: readonly string[]): string | null {
  const near = known.map((one) => ({ one, slips: distance(word, one) }))
    .filter(({ one, slips }) => slips <= SLIPS && slips <= one.length / 2)
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.one ?? null;
}

/** Returns the items with these ids, in the order of `all`; all items without ids. */
export function pick<T extends { readonly id: string }>(
  what: string,
  ids: readonly string[],
  all: readonly T[],
): T[] {
  const unknown = ids.find((id) => !all.some((item) => item.id === id));
  if (unknown === undefined) {
    return ids.length === 0 ? [...all] : all.filter(({ id }) => ids.includes(id));
  }
  const known = all.map(({ id }) => id);
  const elsewhere = meantElsewhere(unknown);
  const meant = closest(unknown, known);
  let hint = `choose from ${known.join(", ")} (or see stampede --help)`;
  if (elsewhere !== null) hint = `did you mean ${elsewhere}?`;
  else if (meant !== null) hint = `did you mean ${meant}? There are ${known.join(", ")}`;
  throw new UsageError(`There is no ${what} "${hideUrl(unknown)}": ${hint}`);
}

/** Matches a host name with an optional port and path. `:3000` is a port of this machine. */
const HOST = /^(localhost|\[[0-9a-f:.]+\]|[a-z0-9-]+(\.[a-z0-9-]+)*)?(:\d+)?(\/\S*)?$/i;

/** Guesses what an unknown word means: a URL without its scheme, or a file. Null without a guess. */
function meantElsewhere(word: string): string | null {
  if (/\.[mc]?[jt]s$/.test(word)) return `--scenario ${word}`;
  if (/(^|\/)server\.json$/.test(word)) return `--server ${word}`;
  const [, host = "", domain, port] = HOST.exec(word) ?? [];
  if (port === undefined && domain === undefined && host !== "localhost") return null;
  return hideUrl(`http://${host === "" ? "127.0.0.1" : ""}${word}`);
}
