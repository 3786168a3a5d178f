/**
 * The entry for `deno serve --parallel src/server/parallel.ts`, on `DENO_JOBS` threads. Set
 * `WORKERS` to the same number: each thread takes 1/`WORKERS` of the database connections and of
 * the workers for primes. `DENO_SERVE_ADDRESS` is the address; `HOST` and `PORT` are ignored.
 */
import { createApp } from "./app.ts";
import { configOrExit } from "./config.ts";
import { errorResponse, surviveRejections } from "./http.ts";

const config = configOrExit();
const threads = Number(Deno.env.get("WORKERS")) || 1;
const share = (all: number): number => Math.max(1, Math.floor(all / threads));
const { fetch } = createApp({
  ...config,
  dbPool: share(config.dbPool),
  cpuWorkers: share(config.cpuWorkers),
});
surviveRejections();

export default {
  // `deno serve` has no `onError`.
  fetch(request): Response | Promise<Response> {
    try {
      const response = fetch(request);
      return response instanceof Promise ? response.catch(errorResponse) : response;
    } catch (error) {
      return errorResponse(error);
    }
  },
} satisfies Deno.ServeDefaultExport;
