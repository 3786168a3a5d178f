/**
 * The same server for `deno serve --parallel src/server/parallel.ts`, on as many threads as
 * `DENO_JOBS` says, and `WORKERS`, by which they share out connections and threads. There `DENO_SERVE_ADDRESS` sets the address; `HOST` and `PORT` are ignored, and
 * each thread has pools of its own.
 */
import { createApp } from "./app.ts";
import { configOrExit } from "./config.ts";
import { surviveRejections } from "./rejections.ts";
import { errorResponse } from "./router.ts";

const config = configOrExit();
const workers = Number(Deno.env.get("WORKERS")) || 1;
/** Each thread's part of what the server is to have in all. */
const share = (all: number): number => Math.max(1, Math.floor(all / workers));
const app = createApp({
  ...config,
  dbPool: share(config.dbPool),
  cpuWorkers: share(config.cpuWorkers),
});

surviveRejections();

export default {
  // `deno serve` knows no `onError`.
  async fetch(request): Promise<Response> {
    try {
      return await app.fetch(request);
    } catch (error) {
      return errorResponse(error);
    }
  },
} satisfies Deno.ServeDefaultExport;
