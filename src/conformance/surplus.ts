import { Mismatch } from "../model/errors.ts";
import type { HttpRequest } from "../model/scenario.ts";
import { readRawAnswer, wireText } from "./http.ts";
import { Wire } from "./wire.ts";

/** How long an idle connection is read, in milliseconds: surplus bytes follow right after a response. */
const WAIT_MS = 20;

/** What a server sends on a connection besides the final responses, which not every load generator can tell from them. */
export interface Extras {
  /** Bytes after the last response: most load generators take them for the next one. */
  readonly surplusBytes: number;
  /** The status of the first interim response; null without one. */
  readonly interimStatus: number | null;
}

const NONE: Extras = { surplusBytes: 0, interimStatus: null };

/**
 * Sends a request on a new connection, reads its response, and then what else comes. Nothing comes if there is no
 * response.
 *
 * @param repeatMs how long it goes on to send the request, one after the other; a request that may change something
 * is sent once.
 * @throws the reason of `abort`.
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
      const answer = await readRawAnswer(wire, "an answer", request.method);
      interimStatus ??= answer.interimStatus;
      isKept = !/\bclose\b/i.test(answer.headers.get("connection") ?? "");
    } while (isKept && performance.now() < untilMs);
    return { surplusBytes: (await wire.readRest(WAIT_MS)).bytes.length, interimStatus };
  } catch (error) {
    if (error instanceof Mismatch) return NONE;
    throw error;
  }
}
