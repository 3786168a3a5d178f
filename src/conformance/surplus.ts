import { Mismatch } from "../model/errors.ts";
import type { HttpRequest } from "../model/scenario.ts";
import { readAnswer, wireText } from "./http.ts";
import { Wire } from "./wire.ts";

/** What a server writes of its own accord comes right after the answer. */
const WAIT_MS = 20;

/**
 * How many bytes a server sends after the answer to one request, on a connection that stays open: most load
 * generators take them for the answer to the next one. 0 where there is no answer.
 *
 * @throws the reason of `abort`.
 */
export async function surplusOf(
  origin: string,
  request: HttpRequest,
  abort: AbortSignal,
): Promise<number> {
  try {
    using wire = await Wire.open(origin, abort);
    await wire.write(wireText(request, { host: new URL(origin).host }));
    await readAnswer(wire, "an answer", request.method);
    return (await wire.readRest(WAIT_MS)).bytes.length;
  } catch (error) {
    if (error instanceof Mismatch) return 0;
    throw error;
  }
}
