import type { ServerConfig } from "./config.ts";
import { CpuPool } from "./cpu_pool.ts";
import { ServerDatabase } from "./database.ts";
import { createRouter } from "./router.ts";
import { delay, hello, helloLater, json, plaintext, primes, text } from "./routes/plain.ts";
import { echo, upload } from "./routes/bodies.ts";
import { books, cached, db, fortunes, now, queries, updates, users } from "./routes/sql.ts";
import { schema } from "./routes/schema.ts";
import { staticFile } from "./routes/static.ts";
import { stream } from "./routes/stream.ts";

/** The server without its port. `close` stops its workers and its database connections. */
interface App {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  close(): Promise<void>;
}

/** Creates the routes, and the worker pool and database connections that they share. */
export function createApp(config: ServerConfig): App {
  const database = new ServerDatabase(config);
  const pool = new CpuPool<number, Uint8Array<ArrayBuffer>>({
    module: new URL("./cpu_worker.ts", import.meta.url),
    workers: config.cpuWorkers,
    queueLimit: config.queueLimit,
  });
  return {
    fetch: createRouter({
      "/": { GET: text },
      "/json": { GET: json },
      "/hello": { GET: hello },
      "/hello-later": { GET: helloLater },
      "/sql1": { GET: now(database) },
      "/sql2": { GET: users(database) },
      "/books": { GET: books(database) },
      "/delay": { GET: delay(new URL("../../hello.html", import.meta.url)) },
      "/primes": { GET: primes(pool) },
      "/schema": { POST: schema },
      "/plaintext": { GET: plaintext },
      "/db": { GET: db(database) },
      "/queries": { GET: queries(database) },
      "/updates": { GET: updates(database) },
      "/cached": { GET: cached(database) },
      "/fortunes": { GET: fortunes(database) },
      "/static/*": { GET: staticFile(new URL("../../public/", import.meta.url)) },
      "/upload": { POST: upload },
      "/stream": { GET: stream() },
      "/echo": { GET: echo() },
    }),
    close: async () => {
      pool[Symbol.dispose]();
      await database.close();
    },
  };
}
