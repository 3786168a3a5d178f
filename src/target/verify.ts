import { textOf } from "../model/body.ts";
import { messageOf, Mismatch } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import { httpClient } from "../process/tls_client.ts";
import type { Facts, HttpRequest, HttpResponse, Scenario } from "../model/scenario.ts";

/** What became of one check. */
export interface CheckResult {
  readonly name: string;
  /** What was expected and what came; null if the check passed. */
  readonly problem: string | null;
}

/** What verifying a scenario found. */
export interface Verification {
  readonly results: readonly CheckResult[];
  /** What the server answered to the request that it will be loaded with; null if it did not. */
  readonly loaded: HttpResponse | null;
  /** Whether it was the same text each time that it was asked. */
  readonly isStable: boolean;
}

const TIMEOUT_MS = 10_000;
/** How long one check may take, with all that it asks. */
const CHECK_TIMEOUT_MS = 60_000;

/** Options of {@linkcode verify}. */
interface VerificationOptions {
  /** Time limit of one check, in ms. A user's check may never end. */
  readonly checkTimeoutMs?: number;
  /** Whether to stop at the first check that fails. */
  readonly stopsAtProblem?: boolean;
}

/**
 * Runs every check of a scenario against a server.
 *
 * @param abort ends the checks early.
 * @throws the reason of `abort`.
 */
export async function verify(
  origin: string,
  scenario: Scenario,
  facts: Facts,
  abort: AbortSignal = new AbortController().signal,
  { checkTimeoutMs = CHECK_TIMEOUT_MS, stopsAtProblem = false }: VerificationOptions = {},
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
  const results: CheckResult[] = [];
  for (const { name, run } of scenario.checks) {
    const check = async (): Promise<void> => await run(ask, facts, origin, client);
    const late = new Mismatch("the check to end", `nothing within ${checkTimeoutMs / 1000} s`);
    const problem = await problemOf(() => inTime(check(), checkTimeoutMs, late, abort));
    results.push({ name, problem });
    abort.throwIfAborted();
    if (stopsAtProblem && problem !== null) break;
  }
  // Bytes that are no text have become replacement characters, and say nothing of one another.
  const isStable = texts.size === 1 && ![...texts].some((text) => text.includes("\ufffd"));
  return { results, loaded, isStable };
}

/**
 * Asks for one response, whatever it is.
 *
 * @returns why there is none; null if there is one.
 * @throws the reason of `abort`.
 */
export async function silenceOf(
  origin: string,
  request: HttpRequest,
  abort: AbortSignal,
): Promise<string | null> {
  using client = httpClient();
  return await problemOf(async () => void await send(origin, request, client, abort));
}

async function problemOf(run: () => Promise<void>): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    if (error instanceof DOMException && error.name === "TimeoutError") {
      return `no response within ${TIMEOUT_MS / 1000} s`;
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
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), abort]);
  const response = await fetch(origin + path, {
    method,
    headers,
    client,
    signal,
    body: body === null ? null : new TextEncoder().encode(body), // fetch gives text a type
    redirect: "manual",
  });
  const text = await textOf(response);
  return { status: response.status, headers: response.headers, text };
}

function isSame(a: HttpRequest, b: HttpRequest): boolean {
  return a.method === b.method && a.path === b.path && a.body === b.body &&
    JSON.stringify(a.headers) === JSON.stringify(b.headers);
}
