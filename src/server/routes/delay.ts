import { setTimeout as pause } from "node:timers/promises";
import { integerParameter } from "../parameters.ts";
import type { RouteHandler } from "../router.ts";

const HTML = { headers: { "content-type": "text/html;charset=utf-8" } };

/**
 * Returns the handler of `GET /delay`: it reads a file from disk for every request. Every tenth
 * request waits 2 s first.
 */
export function delay(file: URL): RouteHandler {
  let count = 0;
  return async (request, url) => {
    const ms = integerParameter(url, "ms", { min: 0, max: 60_000, fallback: 2000 });
    const every = integerParameter(url, "every", { min: 1, max: 1_000_000, fallback: 10 });
    if (++count % every === 0) await pause(ms, undefined, { signal: request.signal });
    return new Response(await Deno.readFile(file), HTML);
  };
}
