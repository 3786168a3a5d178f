import { zValidator } from "@hono/zod-validator";
import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { env } from "node:process";
import { pool } from "./pool.ts";
import { primes } from "./primes.ts";
import * as schema from "./schema.ts";
import { addTechempower } from "./techempower.ts";
import { addWeb, type Runtime } from "./web.ts";

/** Adds all routes; they are the same in each runtime. */
export function addRoutes(app: Hono, runtime: Runtime): void {
  app.get("/", (c) => c.text("Hello world"));

  app.get("/json", (c) => c.json({ message: "Hello world", ts: new Date() }));

  app.get("/sql1", async (c) => {
    const { rows } = await pool.query({ name: "now", text: "SELECT now() AS ts" });
    return c.json(rows[0]);
  });

  app.get("/sql2", async (c) => {
    const offset = Math.floor(Math.random() * 199_991);
    const { rows } = await pool.query({
      name: "users",
      text: "SELECT id, full_name, email FROM users LIMIT 10 OFFSET $1",
      values: [offset],
    });
    return c.json(rows);
  });

  app.get("/books", async (c) => {
    const { rows } = await pool.query({ name: "books", text: "SELECT * FROM books" });
    return c.json({ from: "hono", data: rows });
  });

  let delayed = 0;

  app.get("/delay", zValidator("query", schema.delay), async (c) => {
    const { ms, every } = c.req.valid("query");
    if (++delayed % every === 0) await new Promise((resolve) => setTimeout(resolve, ms));
    return c.html(await runtime.readText(env.HELLO_HTML ?? "hello.html"));
  });

  app.get("/primes", zValidator("query", schema.primes), (c) => {
    const { limit } = c.req.valid("query");
    return c.json({ numbers: primes(limit), from: "hono" });
  });

  app.post(
    "/schema",
    bodyLimit({ maxSize: 65_536 }),
    // The validator would treat a body of another type as empty.
    async (c, next) => {
      const type = c.req.header("content-type") ?? "";
      if (!/^application\/json\s*(;|$)/i.test(type)) throw new HTTPException(415);
      await next();
    },
    zValidator("header", schema.headers),
    zValidator("query", schema.query),
    zValidator("json", schema.body),
    (c) => c.json({ message: "Hello, World" }),
  );

  addTechempower(app);
  addWeb(app, runtime);
}
