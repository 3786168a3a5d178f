import { setTimeout as pause } from "node:timers/promises";
import type { CpuPool } from "../cpu_pool.ts";
import { isoTime } from "../iso_time.ts";
import { booleanParameter, integerParameter } from "../problem.ts";
import type { RouteHandler } from "../router.ts";
import { primesJson } from "../sieve.ts";

/** Handles `GET /`: sends a fixed text. */
export const text: RouteHandler = () => new Response("Hello world");

/** Header that TechEmpower's rules require. */
export const NAMED = { server: "Deno" };

/** Handles `GET /plaintext`: sends a fixed text with the header {@linkcode NAMED}. */
export const plaintext: RouteHandler = () => new Response("Hello, World!", { headers: NAMED });

/** Handles `GET /hello`: serialises a constant object for every request. */
export const hello: RouteHandler = () => Response.json({ message: "Hello, World" });

/** Handles `GET /hello-later`: sends a short text after a timer of 100 ms. */
export const helloLater: RouteHandler = async () => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  return new Response("Hello, World!");
};

/** Handles `GET /json`: builds and serialises an object for every request. */
export const json: RouteHandler = () => {
  // Not a Date: `JSON.stringify` would call its `toJSON`, which adds 8 % to the whole response.
  const ts = isoTime(Date.now());
  return Response.json({ message: "Hello world", ts });
};

const HTML = { headers: { "content-type": "text/html;charset=utf-8" } };
const JSON_TYPE = { headers: { "content-type": "application/json" } };

/** Returns the handler of `GET /delay`: it reads a file from disk; every tenth request waits 2 s first. */
export function delay(file: URL): RouteHandler {
  let count = 0;
  return async (request, url) => {
    const ms = integerParameter(url, "ms", { min: 0, max: 60_000, fallback: 2000 });
    const every = integerParameter(url, "every", { min: 1, max: 1_000_000, fallback: 10 });
    if (++count % every === 0) await pause(ms, undefined, { signal: request.signal });
    return new Response(await Deno.readFile(file), HTML);
  };
}

/** Returns the handler of `GET /primes`: it computes them, on a worker unless `offload=false`. */
export function primes(pool: CpuPool<number, Uint8Array<ArrayBuffer>>): RouteHandler {
  return async (request, url) => {
    const limit = integerParameter(url, "limit", { min: 2, max: 1e7, fallback: 1e6 });
    const bytes = booleanParameter(url, "offload")
      ? await pool.run(limit, request.signal)
      : primesJson(limit);
    return new Response(bytes, JSON_TYPE);
  };
}
