/**
 * The same server for `deno serve --parallel src/server/parallel.ts`, on as many threads as
 * `DENO_JOBS` says. There `DENO_SERVE_ADDRESS` sets the address; `HOST` and `PORT` are ignored, and
 * each thread has pools of its own.
 */
import { createApp } from "./app.ts";
import { configOrExit } from "./config.ts";
import { answerError } from "./router.ts";

const app = createApp(configOrExit());

export default {
  // `deno serve` knows no `onError`.
  async fetch(request): Promise<Response> {
    try {
      return await app.fetch(request);
    } catch (error) {
      return answerError(error);
    }
  },
} satisfies Deno.ServeDefaultExport;
