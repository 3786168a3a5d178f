/** Client of GitHub's REST API, and the report that another run left as an artifact. */
import { Unzip, UnzipInflate } from "fflate";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { oneLine, printable } from "../model/text.ts";
import { reportOf } from "../results/read_report.ts";
import { type ActionContext, at } from "./runner.ts";

interface Ask {
  readonly what: string;
  /** Permission that the job needs for the request; by default `pull-requests: write`. */
  readonly needs?: string;
  readonly method?: "GET" | "POST" | "PATCH";
  /** Path relative to the API's address, or an absolute address from GitHub. */
  readonly path: string;
  readonly body?: unknown;
}

const TRIES = 3;
const BETWEEN_MS = 1000;
/** Maximum number of pages of a list, with a hundred items each. It limits the time of the job. */
const MOST_PAGES = 50;
const LONGEST_MESSAGE = 200;
const RETRY = "run the job again";

/** Client of https://docs.github.com/en/rest with the job's token; an error has one line. */
export class Api {
  readonly repository: string;
  readonly #world: ActionContext;
  readonly #token: string;
  readonly #base: URL;

  constructor(world: ActionContext, token: string) {
    this.#world = world;
    this.#token = token;
    this.#base = new URL(world.env("GITHUB_API_URL") || "https://api.github.com");
    this.repository = world.env("GITHUB_REPOSITORY");
  }

  async json(ask: Ask): Promise<unknown> {
    return (await this.#read(ask)).value;
  }

  /** Sends a GraphQL request to its separate address. https://docs.github.com/en/graphql */
  graphql(what: string, query: string): Promise<unknown> {
    const path = this.#world.env("GITHUB_GRAPHQL_URL") || `${this.#base.origin}/graphql`;
    return this.json({ what, method: "POST", path, body: { query } });
  }

  // https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
  async *pages(ask: Ask): AsyncGenerator<unknown> {
    let path: string | undefined = ask.path;
    for (let page = 0; path !== undefined && page < MOST_PAGES; page++) {
      const { value, link } = await this.#read({ ...ask, path });
      if (!Array.isArray(value)) throw failed(ask, "the response is not a list");
      yield* value;
      path = /<([^>]+)>;[^,]*\brel="next"/.exec(link)?.[1];
    }
  }

  /** Returns the address of a file. Fetch it without the token, which only GitHub may see. */
  async place(ask: Ask): Promise<URL> {
    const response = await this.#fetch(ask);
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (response.status !== 302 || location === null) {
      throw failed(ask, `GitHub answered ${response.status} and no address`);
    }
    const place = URL.parse(location, this.#base.href);
    if (place === null) throw failed(ask, "GitHub gave an invalid address");
    if (place.protocol === "https:" || place.origin === this.#base.origin) return place;
    throw failed(ask, `GitHub gave an address of ${place.protocol}`);
  }

  async #read(ask: Ask): Promise<{ value: unknown; link: string }> {
    const response = await this.#fetch(ask);
    const text = await response.text().catch((error) => {
      throw this.#absent(ask, error);
    });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Error pages of proxies are not JSON
    }
    const { ok, status, headers } = response;
    if (!ok) {
      const message = at(value, "message");
      const why = typeof message === "string"
        ? `: ${oneLine(printable(message)).slice(0, LONGEST_MESSAGE)}`
        : "";
      throw failed(ask, `GitHub answered ${status}${why}`, adviceFor(status, headers, ask.needs));
    }
    if (value !== undefined) return { value, link: headers.get("link") ?? "" };
    throw failed(ask, `GitHub answered ${status} with something other than JSON`);
  }

  /** Sends a request, again without a response or after a status of 500 or more, unless it is a POST. */
  async #fetch(ask: Ask): Promise<Response> {
    const { method = "GET", body } = ask;
    const tries = method === "POST" ? 1 : TRIES;
    const url = this.#address(ask);
    for (let attempt = 1;; attempt++) {
      if (attempt > 1) await this.#world.pause(BETWEEN_MS);
      try {
        const response = await fetch(url, {
          method,
          headers: {
            accept: "application/vnd.github+json",
            authorization: `Bearer ${this.#token}`,
            "user-agent": "stampede",
            "x-github-api-version": "2022-11-28",
            ...(body !== undefined && { "content-type": "application/json" }),
          },
          redirect: "manual",
          signal: AbortSignal.timeout(this.#world.timeoutMs),
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (response.status < 500 || attempt === tries) return response;
        await response.body?.cancel();
      } catch (error) {
        // A request that timed out is not repeated, because the job would wait for minutes
        if (attempt === tries || isLate(error)) throw this.#absent(ask, error);
      }
    }
  }

  /** Returns the address of a request. Refuses other hosts, because they must not get the token. */
  #address(ask: Ask): URL {
    const base = this.#base.href.replace(/\/$/, "");
    const url = URL.parse(ask.path.startsWith("/") ? base + ask.path : ask.path);
    if (url === null) throw failed(ask, "GitHub gave an invalid address");
    if (url.origin === this.#base.origin) return url;
    throw failed(ask, `GitHub refers to ${url.origin}, which is not the API`);
  }

  #absent(ask: Ask, error: unknown): Failure {
    const why = isLate(error)
      ? `did not answer within ${this.#world.timeoutMs / 1000} s`
      : `cannot be reached: ${oneLine(messageOf(error))}`;
    return failed(ask, `GitHub ${why}`);
  }
}

function isLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

function adviceFor(status: number, headers: Headers, needs = "pull-requests: write"): string {
  if (status === 429 || headers.get("x-ratelimit-remaining") === "0") {
    return "the token has sent too many requests: wait for an hour";
  }
  if (status === 401) return "the input token is invalid or has expired";
  if (status === 403) return `the job needs permissions: ${needs}`;
  if (status === 404) {
    return `it does not exist, or the token may not read it: permissions: ${needs}`;
  }
  return status >= 500 ? RETRY : "report it to the maintainers of Stampede";
}

function failed({ what }: Ask, came: string, advice = RETRY): Failure {
  return new Failure(`Cannot ${what}: ${came}; ${advice}`);
}

/** The only file of the artifact that is read. */
export const REPORT_FILE = "report.json";
/** Maximum sizes of an artifact and its report, in bytes: enough for thirty rounds of eight scenarios. */
const MOST_ARCHIVE_BYTES = 5_000_000;
const MOST_REPORT_BYTES = 20_000_000;
/** Size of a piece to unpack, in bytes. It expands at most a thousandfold: 8 MB beyond the limit. */
const PIECE_BYTES = 8192;
/** Beginning of an archive: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7 */
const BEGINNING = [0x50, 0x4b, 0x03, 0x04];

/** Returns the name of the artifact for an id; action.yml uses the same. */
export function artifactOf(id: string): string {
  return `stampede-${id}`;
}

/**
 * Downloads the report of a run; returns null if the run left none. Throws a {@linkcode Failure} if
 * GitHub does not provide it, or a {@linkcode UsageError} if it is not a report.
 */
export async function reportOfRun(
  api: Api,
  runId: number,
  name: string,
  timeoutMs: number,
): Promise<Report | null> {
  const needs = "actions: read";
  const actions = `/repos/${api.repository}/actions`;
  const listed = await api.json({
    what: "list the artifacts of the run",
    needs,
    path: `${actions}/runs/${runId}/artifacts?per_page=100&name=${encodeURIComponent(name)}`,
  });
  const artifacts = at(listed, "artifacts");
  // The newest one comes from the last attempt of the run
  const [newest] = (Array.isArray(artifacts) ? artifacts : [])
    .filter((one) => at(one, "name") === name && at(one, "expired") !== true)
    .sort((a, b) => Number(at(b, "id")) - Number(at(a, "id")));
  const id = at(newest, "id");
  if (typeof id !== "number") return null;
  const size = at(newest, "size_in_bytes");
  try {
    if (typeof size === "number") refuseLarge(size);
    const place = await api.place({
      what: "download the report of the run",
      needs,
      path: `${actions}/artifacts/${id}/zip`,
    });
    const archive = await download(place, name, timeoutMs);
    const report = reportOf(textOfZip(archive, REPORT_FILE, MOST_REPORT_BYTES), REPORT_FILE);
    if (report.kind === "run") return report;
    throw new UsageError("it is not the report of a run");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new UsageError(`Cannot use the artifact ${name}: ${messageOf(error)}`);
  }
}

function refuseLarge(bytes: number): void {
  if (bytes <= MOST_ARCHIVE_BYTES) return;
  throw new UsageError(`it is larger than ${MOST_ARCHIVE_BYTES / 1e6} MB`);
}

async function download(place: URL, name: string, timeoutMs: number): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const response = await fetch(place, {
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Failure(`the download answered ${response.status}`);
    }
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      // Leaving the loop ends the download
      refuseLarge(size);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new Failure(`Cannot download the artifact ${name}: ${messageOf(error)}`);
  }
  return await new Blob(chunks).bytes();
}

/**
 * Returns the text of the first file with this name. No other file is unpacked, and no name becomes a
 * path. The unpacked bytes are counted, whatever the archive declares, so a zip bomb ends at the limit.
 * Throws a {@linkcode UsageError} if this is not an archive, or if the file is missing or too large.
 */
export function textOfZip(archive: Uint8Array, name: string, mostBytes: number): string {
  const damaged = new UsageError("it is not a zip archive, or is damaged");
  if (BEGINNING.some((byte, index) => archive[index] !== byte)) throw damaged;
  const decoder = new TextDecoder();
  const found = { isBegun: false, isWhole: false, text: "", size: 0 };
  const unzip = new Unzip((file) => {
    if (file.name !== name || found.isBegun) return;
    found.isBegun = true;
    file.ondata = (error, bytes, isLast) => {
      // The library catches errors thrown here and passes them in again
      if (error) throw error;
      found.size += bytes.length;
      if (found.size > mostBytes) {
        throw new UsageError(`its ${name} is larger than ${mostBytes / 1e6} MB`);
      }
      found.text += decoder.decode(bytes, { stream: !isLast });
      found.isWhole = isLast;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < archive.length && !found.isWhole; at += PIECE_BYTES) {
      const end = at + PIECE_BYTES;
      unzip.push(archive.subarray(at, end), end >= archive.length);
    }
  } catch (error) {
    throw error instanceof UsageError ? error : damaged;
  }
  if (found.isWhole) return found.text;
  throw found.isBegun ? damaged : new UsageError(`it contains no ${name}`);
}
