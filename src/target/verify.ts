/** Runs the checks of scenarios against servers. */
import { textOf } from "../model/body.ts";
import type { Facts, HttpRequest, HttpResponse, Scenario } from "../model/scenario.ts";
import { messageOf, Mismatch } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import { httpClient } from "../process/tls_client.ts";

/** The results of all checks of a scenario. */
interface Verification {
  /** For each check the expected and the actual value; null if it passed. */
  readonly results: readonly { readonly name: string; readonly problem: string | null }[];
  /** The response to the request that the load repeats; null if there was none. */
  readonly loaded: HttpResponse | null;
  /** Whether that response was the same text each time. */
  readonly isStable: boolean;
}

const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 60_000; // a user's check may never end

/** Runs the checks of a scenario: all, or until one fails. Throws the reason of `abort`. */
export async function verify(
  origin: string,
  scenario: Scenario,
  facts: Facts,
  abort: AbortSignal = new AbortController().signal,
  { checkTimeoutMs = CHECK_TIMEOUT_MS, stopsAtProblem = false } = {},
): Promise<Verification> {
  using client = httpClient({ poolMaxIdlePerHost: 16 });
  let loaded: HttpResponse | null = null;
  const texts = new Set<string>();
  const ask = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await send(origin, request, client, abort);
    if (isSame(request, scenario.request)) {
      loaded = response;
      texts.add(response.text);
    }
    return response;
  };
  const results: Verification["results"][number][] = [];
  for (const { name, run } of scenario.checks) {
    const late = new Mismatch("the check to end", `nothing within ${checkTimeoutMs / 1000} s`);
    const problem = await problemOf(() =>
      inTime(Promise.try(run, ask, facts, origin, client), checkTimeoutMs, late, abort)
    );
    results.push({ name, problem });
    abort.throwIfAborted();
    if (stopsAtProblem && problem !== null) break;
  }
  // Bytes that are not UTF-8 became replacement characters, so equal texts may hide different bytes.
  const isStable = texts.size === 1 && ![...texts].some((text) => text.includes("\ufffd"));
  return { results, loaded, isStable };
}

/** Sends one request. Returns why there was no response; null if there was any. */
export async function silenceOf(
  origin: string,
  request: HttpRequest,
  abort: AbortSignal,
): Promise<string | null> {
  using client = httpClient();
  return await problemOf(() => send(origin, request, client, abort));
}

async function problemOf(run: () => Promise<unknown>): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    if (error instanceof DOMException && error.name === "TimeoutError") {
      return `no response within ${REQUEST_TIMEOUT_MS / 1000} s`;
    }
    if (error instanceof TypeError) return `no usable response: ${messageOf(error)}`;
    throw error;
  }
}

async function send(
  origin: string,
  { method, path, headers, body }: HttpRequest,
  client: Deno.HttpClient,
  abort: AbortSignal,
): Promise<HttpResponse> {
  const signal = AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), abort]);
  const response = await fetch(origin + path, {
    method,
    headers,
    client,
    signal,
    // bytes, because fetch adds a content type to a string
    body: body === null ? null : new TextEncoder().encode(body),
    redirect: "manual",
  });
  const text = await textOf(response);
  return { status: response.status, headers: response.headers, text };
}

function isSame(a: HttpRequest, b: HttpRequest): boolean {
  return a.method === b.method && a.path === b.path && a.body === b.body &&
    JSON.stringify(a.headers) === JSON.stringify(b.headers);
}
