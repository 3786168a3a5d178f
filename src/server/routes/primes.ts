import type { CpuPool } from "../cpu_pool.ts";
import { booleanParameter, integerParameter } from "../parameters.ts";
import type { RouteHandler } from "../router.ts";
import { primesJson } from "../sieve.ts";

const JSON_TYPE = { headers: { "content-type": "application/json" } };

/**
 * Returns the handler of `GET /primes`: it computes the primes for every request, on a worker unless
 * `offload=false`.
 */
export function primes(pool: CpuPool<number, Uint8Array<ArrayBuffer>>): RouteHandler {
  return async (request, url) => {
    const limit = integerParameter(url, "limit", { min: 2, max: 1e7, fallback: 1e6 });
    const bytes = booleanParameter(url, "offload")
      ? await pool.run(limit, request.signal)
      : primesJson(limit);
    return new Response(bytes, JSON_TYPE);
  };
}
