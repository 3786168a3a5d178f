import { Mismatch } from "../model/errors.ts";
import type { HttpRequest } from "../model/scenario.ts";
import { readRawResponse, wireText } from "./http.ts";
import { Wire } from "./wire.ts";

/** How long an idle connection is read, in ms: surplus bytes follow a response immediately. */
const WAIT_MS = 20;

/** Output of a server that some load generators mistake for final responses. */
export interface Extras {
  /** Bytes after the last response. Most load generators count them as the next response. */
  readonly surplusBytes: number;
  /** Status of the first interim response (1xx); null if none. */
  readonly interimStatus: number | null;
}

const NONE: Extras = { surplusBytes: 0, interimStatus: null };

/**
 * Looks for output that load generators mistake for responses. It sends a request on a new
 * connection, reads the response, and reads the bytes after it.
 *
 * @param repeatMs how long to repeat the request on the same connection, in ms; only for GET and
 *   HEAD
 * @returns the output found. If the server does not respond, 0 surplus bytes and no interim status.
 * @throws the reason of `abort` if that signal is aborted.
 */
export async function extrasOf(
  origin: string,
  request: HttpRequest,
  abort: AbortSignal,
  repeatMs = 0,
): Promise<Extras> {
  const isRepeated = request.method === "GET" || request.method === "HEAD";
  const untilMs = performance.now() + (isRepeated ? repeatMs : 0);
  try {
    using wire = await Wire.open(origin, abort);
    let interimStatus: number | null = null;
    let isKept = true;
    do {
      await wire.write(wireText(request, { host: new URL(origin).host }));
      const response = await readRawResponse(wire, "a response", request.method);
      interimStatus ??= response.interimStatus;
      isKept = !/\bclose\b/i.test(response.headers.get("connection") ?? "");
    } while (isKept && performance.now() < untilMs);
    return { surplusBytes: (await wire.readRest(WAIT_MS)).bytes.length, interimStatus };
  } catch (error) {
    if (error instanceof Mismatch) return NONE;
    throw error;
  }
}
