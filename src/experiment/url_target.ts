/** Reads the URLs of servers to measure, and the request to them. */
import { checkTwice, expectSuccess } from "../../scenarios/expect.ts";
import { USUAL } from "../../scenarios/usual.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFile } from "../model/input_file.ts";
import { type HttpRequest, needsDatabase, type Scenario } from "../model/scenario.ts";
import { HEADER_NAME, HEADER_VALUE } from "../model/scenario_schema.ts";
import { hideQuery, hideUrl } from "../model/text.ts";
import type { Server } from "../model/server.ts";
import type { Selection } from "./options.ts";

/** Resolves a path that the user typed. */
export type Resolve = (path: string) => string;

/** Options for the request to a URL. */
export interface RequestOptions {
  readonly request?: HttpRequest["method"];
  readonly header?: readonly string[];
  readonly data?: string;
  readonly pid?: number;
  readonly yesIMayLoadThisHost?: boolean;
}

/** Matches a duration such as `10s`, which is the meaning of `-d` in other tools. */
const DURATION = /^\d+(\.\d+)?(ms|s|m|h)?$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether an argument is a URL, not a scenario's id. */
export function isUrl(argument: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(argument);
}

/**
 * Returns the servers at these URLs, with `others` as scenarios, or else the URLs themselves. Throws a
 * `UsageError` for a URL that cannot be measured, or of another machine without confirmation.
 */
export async function readUrls(
  texts: readonly string[],
  { request, header, data, pid, yesIMayLoadThisHost = false }: RequestOptions,
  others: readonly Scenario[],
  resolve: Resolve,
): Promise<Selection> {
  if (data !== undefined && request === undefined && DURATION.test(data)) {
    throw new UsageError(
      `Cannot tell whether -d ${data} is a duration or a request body: use -z ${data}, or add -X POST`,
    );
  }
  const urls = texts.map((text) => readUrl(text, yesIMayLoadThisHost));
  const body = data === undefined ? null : await readData(data, resolve);
  const requests = urls.map((url) => requestTo(url, body, request, header));
  const isRequest = (request ?? header ?? data) !== undefined ||
    urls.some(({ pathname, search }) => pathname + search !== "/");
  if (others.length > 0 && isRequest) {
    throw new UsageError(
      "Cannot measure scenarios and a request of your own at a URL: give only its host, such as http://127.0.0.1:3000",
    );
  }
  const byPath = scenariosOf(requests);
  const scenarios = others.length > 0 ? others : [...byPath.values()];
  const needing = scenarios.find(needsDatabase);
  if (needing) {
    throw new UsageError(`Cannot measure ${needing.id} at a URL: it needs Stampede's database`);
  }
  const origins = [...new Set(urls.map(({ origin }) => origin))];
  if (pid !== undefined && origins.length > 1) {
    throw new UsageError(
      "Cannot use one --pid for several servers: measure them one after the other",
    );
  }
  const servers = origins.map((origin) => {
    const paths = requests.filter((_request, i) => urls[i]?.origin === origin)
      .map(({ path }) => path);
    const own = others.length > 0 ? others : paths.flatMap((path) => byPath.get(path) ?? []);
    return serverAt(origin, own, pid ?? null);
  });
  return { scenarios, reference: null, servers };
}

/** Returns the origin of a URL without a path; throws `UsageError` as {@linkcode readUrls} does. */
export function readOrigin(text: string, mayLoadOthers = false): string {
  const { origin, pathname, search, hash } = readUrl(text, mayLoadOthers);
  if (pathname + search + hash === "/") return origin;
  throw new UsageError(
    `Cannot use ${hideUrl(text)} as the server: give only its host, such as ${origin}`,
  );
}

/** Returns whether an origin is this machine's loopback interface. */
export function isLoopback(origin: string): boolean {
  return LOOPBACK.test(new URL(origin).hostname);
}

function readUrl(text: string, mayLoadOthers: boolean): URL {
  if (!URL.canParse(text)) throw new UsageError(`Cannot read the URL ${hideUrl(text)}`);
  const url = new URL(text);
  if (!["http:", "https:"].includes(url.protocol)) {
    throw new UsageError(
      `Cannot measure ${hideUrl(text)}: only http: and https: URLs are supported`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(`Cannot measure a URL with a password: give it as a header (-H)`);
  }
  if (!LOOPBACK.test(url.hostname) && !mayLoadOthers) {
    throw new UsageError(
      `${url.hostname} is not this machine: a load without its owner's consent is an attack. If you have it, add --yes-i-may-load-this-host`,
    );
  }
  return url;
}

/** Returns the body in `--data`: its value, or the content of the file after an `@`. */
async function readData(text: string, resolve: Resolve): Promise<string> {
  if (!text.startsWith("@")) return text;
  try {
    return await readInputFile(resolve(text.slice(1)), "body");
  } catch (error) {
    throw new UsageError(`Cannot read the body ${text}: ${messageOf(error)}`);
  }
}

function requestTo(
  { pathname, search }: URL,
  body: string | null,
  request: HttpRequest["method"] | undefined,
  header: readonly string[] = [],
): HttpRequest {
  const headers = Object.fromEntries(header.map((text) => {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      const [start] = text.split(/[\s:]/, 1);
      throw new UsageError(`Cannot read the header "${start} …": write it as 'name: value'`);
    }
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) {
      throw new UsageError(
        `Cannot send the header "${name}": it contains characters that HTTP does not allow`,
      );
    }
    return [name.toLowerCase(), value] as const;
  }));
  const method = request ?? (body === null ? "GET" : "POST");
  if (body !== null && ["GET", "HEAD"].includes(method)) {
    throw new UsageError(`Cannot send --data with ${method}`);
  }
  const type = body !== null && { "content-type": defaultType(body) };
  return { method, path: pathname + search, headers: { ...type, ...headers }, body };
}

function defaultType(body: string): string {
  try {
    JSON.parse(body);
    return "application/json";
  } catch {
    return "text/plain;charset=UTF-8";
  }
}

/** Returns a scenario for each path. Its unique id lacks the query's values, which may be secret. */
function scenariosOf(requests: readonly HttpRequest[]): ReadonlyMap<string, Scenario> {
  const scenarios = new Map<string, Scenario>();
  const times = new Map<string, number>();
  for (const request of requests) {
    const { method, path, headers } = request;
    if (scenarios.has(path)) continue;
    const shown = hideQuery(path);
    const name = method === "GET" ? shown : `${method} ${shown}`;
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    scenarios.set(path, {
      ...USUAL,
      id: time === 1 ? name : `${name} (${time})`,
      title: `${method} ${shown}`,
      request,
      checks: checkTwice("returns a 2xx status", request, expectSuccess),
      // A compressed body may differ each time, and checks do not see it.
      underLoad: "accept-encoding" in headers ? "any" : "stable",
      expect: expectSuccess,
    });
  }
  return scenarios;
}

function serverAt(origin: string, scenarios: readonly Scenario[], pid: number | null): Server {
  const id = origin.replace(/^https?:\/\//, "");
  return {
    id,
    name: id,
    language: "unknown",
    runtime: null,
    framework: null,
    basedOn: null,
    approach: "idiomatic",
    why: null,
    guide: null,
    settings: {},
    workers: "unlimited",
    takesTurns: false,
    tls: [],
    http: "full",
    exceptions: {},
    scenarios: Object.fromEntries(scenarios.map(({ id }) => [id, {}])),
    sources: ".",
    requires: [],
    prepare: [],
    start: [],
    env: {},
    maxConnections: null,
    warmupS: null,
    ready: { path: "/", timeoutS: 0 },
    versions: {},
    folder: "",
    attached: { origin, pid },
  };
}
