import type { ServerConfig } from "./config.ts";
import { CpuPool } from "./cpu_pool.ts";
import { ServerDatabase } from "./database.ts";
import { createRouter } from "./http.ts";
import { schema, upload } from "./routes/bodies.ts";
import { echo } from "./routes/echo.ts";
import { plainRoutes } from "./routes/plain.ts";
import { sqlRoutes } from "./routes/sql.ts";

/** Creates the server without its port. `close` stops its workers and its database connections. */
export function createApp(
  config: ServerConfig,
): { readonly fetch: ReturnType<typeof createRouter>; close(): Promise<void> } {
  const root = new URL("../../", import.meta.url);
  const database = new ServerDatabase(config);
  const worker = new URL("./cpu_worker.ts", import.meta.url);
  const pool = new CpuPool<number, Uint8Array<ArrayBuffer>>(worker, config);
  return {
    fetch: createRouter({
      ...plainRoutes(new URL("hello.html", root), new URL("public/", root), pool),
      ...sqlRoutes(database),
      "/schema": { POST: schema },
      "/upload": { POST: upload },
      "/echo": { GET: echo() },
    }),
    close: async () => {
      pool[Symbol.dispose]();
      await database.close();
    },
  };
}
