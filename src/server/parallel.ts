/**
 * The same server for `deno serve --parallel src/server/parallel.ts`, on as many threads as
 * `DENO_JOBS` says. There `DENO_SERVE_ADDRESS` sets the address; `HOST` and `PORT` are ignored, and
 * each thread has pools of its own.
 */
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

export default {
  fetch: createApp(readConfig((name) => Deno.env.get(name))).fetch,
} satisfies Deno.ServeDefaultExport;
