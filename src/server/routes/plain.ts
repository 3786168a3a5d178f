/** Routes without a database and without a request body. */
import { setTimeout as pause } from "node:timers/promises";
import type { CpuPool } from "../cpu_pool.ts";
import { isoTime } from "../iso_time.ts";
import { booleanParameter, integerParameter } from "../problem.ts";
import type { Routes } from "../router.ts";
import { primesJson } from "../sieve.ts";

/** Header that TechEmpower's rules require. */
export const NAMED = { server: "Deno" };

const HTML = { headers: { "content-type": "text/html;charset=utf-8" } };
const JSON_TYPE = { headers: { "content-type": "application/json" } };

/** Returns the routes. `/delay` reads `file` from disk for every request. */
export function plainRoutes(file: URL, pool: CpuPool<number, Uint8Array<ArrayBuffer>>): Routes {
  let delays = 0;
  return {
    "/": { GET: () => new Response("Hello world") },
    "/plaintext": { GET: () => new Response("Hello, World!", { headers: NAMED }) },
    "/hello": { GET: () => Response.json({ message: "Hello, World" }) },
    "/hello-later": {
      async GET(): Promise<Response> {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return new Response("Hello, World!");
      },
    },
    "/json": {
      GET(): Response {
        // Not a Date: `JSON.stringify` would call its `toJSON`, which adds 8 % to the whole response.
        const ts = isoTime(Date.now());
        return Response.json({ message: "Hello world", ts });
      },
    },
    /** Every tenth request waits 2 s. */
    "/delay": {
      async GET(request, url): Promise<Response> {
        const ms = integerParameter(url, "ms", { min: 0, max: 60_000, fallback: 2000 });
        const every = integerParameter(url, "every", { min: 1, max: 1_000_000, fallback: 10 });
        if (++delays % every === 0) await pause(ms, undefined, { signal: request.signal });
        return new Response(await Deno.readFile(file), HTML);
      },
    },
    "/primes": {
      async GET(request, url): Promise<Response> {
        const limit = integerParameter(url, "limit", { min: 2, max: 1e7, fallback: 1e6 });
        const bytes = booleanParameter(url, "offload")
          ? await pool.run(limit, request.signal)
          : primesJson(limit);
        return new Response(bytes, JSON_TYPE);
      },
    },
  };
}
