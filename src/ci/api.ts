/** Client of GitHub's REST API. https://docs.github.com/en/rest */
import { Failure, messageOf } from "../model/errors.ts";
import { oneLine, printable } from "../model/text.ts";
import { type ActionContext, at } from "./runner.ts";

/** A request to GitHub. */
export interface Ask {
  /** The action, for the error message: `comment on the pull request`. */
  readonly what: string;
  /** Permission that the job needs for the action: `pull-requests: write`. */
  readonly needs: string;
  readonly method?: "GET" | "POST" | "PATCH";
  /** Path relative to the API's address, or an absolute address from GitHub. */
  readonly path: string;
  readonly body?: unknown;
}

/** Maximum number of attempts for a request that may be repeated. */
const TRIES = 3;
/** Pause between two attempts, in milliseconds. */
const BETWEEN_MS = 1000;
/** Maximum number of pages of a list, with a hundred items each. It limits the time of the job. */
const MOST_PAGES = 50;
/** Maximum length of GitHub's message in an error, in characters. */
const LONGEST_MESSAGE = 200;
const RETRY = "run the job again";

/**
 * Client of the API with the job's token. Its methods throw a {@linkcode Failure} of one line: the
 * action, the error, and the advice.
 */
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

  /** Sends a request and returns the JSON of the response. */
  async json(ask: Ask): Promise<unknown> {
    return (await this.#read(ask)).value;
  }

  /** Sends a GraphQL request to its separate address. https://docs.github.com/en/graphql */
  graphql(ask: Pick<Ask, "what" | "needs">, query: string): Promise<unknown> {
    const path = this.#world.env("GITHUB_GRAPHQL_URL") || `${this.#base.origin}/graphql`;
    return this.json({ ...ask, method: "POST", path, body: { query } });
  }

  /**
   * Yields the items of a list, page by page, following GitHub's links.
   * https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
   */
  async *pages(ask: Ask): AsyncGenerator<unknown> {
    let path: string | undefined = ask.path;
    for (let page = 0; path !== undefined && page < MOST_PAGES; page++) {
      const { value, link } = await this.#read({ ...ask, path });
      if (!Array.isArray(value)) throw failed(ask, "the response is not a list");
      yield* value;
      path = /<([^>]+)>;[^,]*\brel="next"/.exec(link)?.[1];
    }
  }

  /**
   * Returns the encrypted address of a file that GitHub redirects to. Fetch the file without the
   * token, because only GitHub may see the token.
   */
  async place(ask: Ask): Promise<URL> {
    const response = await this.#fetch(ask);
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (response.status !== 302 || location === null) {
      throw failed(ask, `GitHub answered ${response.status} and no address`);
    }
    const place = new URL(location, this.#base);
    if (place.protocol === "https:" || place.origin === this.#base.origin) return place;
    throw failed(ask, `GitHub gave an address of ${place.protocol}`);
  }

  async #read(ask: Ask): Promise<{ value: unknown; link: string }> {
    const response = await this.#fetch(ask);
    const text = await response.text().catch((error) => {
      throw this.#absent(ask, error);
    });
    if (!response.ok) throw refused(ask, response, text);
    try {
      return { value: JSON.parse(text), link: response.headers.get("link") ?? "" };
    } catch {
      throw failed(ask, `GitHub answered ${response.status} with something other than JSON`);
    }
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
    const url = ask.path.startsWith("/") ? new URL(base + ask.path) : new URL(ask.path);
    if (url.origin === this.#base.origin) return url;
    throw failed(ask, `GitHub refers to ${url.origin}, which is not the API`);
  }

  /** Returns the error for a missing response. */
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

function refused(ask: Ask, { status, headers }: Response, text: string): Failure {
  let reported: unknown = null;
  try {
    reported = at(JSON.parse(text), "message");
  } catch {
    // Error pages of proxies are not JSON
  }
  const message = typeof reported === "string"
    ? `: ${oneLine(printable(reported)).slice(0, LONGEST_MESSAGE)}`
    : "";
  return failed(ask, `GitHub answered ${status}${message}`, adviceFor(status, headers, ask));
}

function adviceFor(status: number, headers: Headers, { needs }: Ask): string {
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
