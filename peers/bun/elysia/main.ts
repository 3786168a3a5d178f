import { file, sleep } from "bun";
import { Elysia, ElysiaCustomStatusResponse } from "elysia";
import { env } from "node:process";
import { listen } from "../shared/listen.ts";
import { primes } from "../shared/primes.ts";
import { sql } from "../shared/sql.ts";
import * as model from "./models.ts";
import { jsonUpTo64KiB } from "./parse.ts";
import { techempower } from "./techempower.tsx";
import { web } from "./web.ts";

const { HELLO_HTML = "hello.html" } = env;

let delayed = 0;

new Elysia()
  .onError(({ code, error, status }) => {
    if (code === "VALIDATION") return status(400, error.message); // the default is 422
    if (code === "PARSE" && error.cause instanceof ElysiaCustomStatusResponse) return error.cause;
    if (code === "UNKNOWN") console.error(error);
  })
  .get("/", () => "Hello world")
  .get("/json", () => ({ message: "Hello world", ts: new Date() }))
  .get("/sql1", async () => {
    const [row] = await sql`SELECT now() AS ts`;
    return row;
  })
  .get("/sql2", () => {
    const offset = Math.floor(Math.random() * 199_991);
    return sql`SELECT id, full_name, email FROM users LIMIT 10 OFFSET ${offset}`;
  })
  .get("/books", async () => ({ from: "elysia", data: await sql`SELECT * FROM books` }))
  .get("/delay", async ({ query: { ms, every } }) => {
    if (++delayed % every === 0) await sleep(ms);
    return file(HELLO_HTML);
  }, { query: model.delay })
  .get(
    "/primes",
    ({ query: { limit } }) => ({ numbers: primes(limit), from: "elysia" }),
    { query: model.primes },
  )
  .post("/schema", () => ({ message: "Hello, World" }), {
    parse: jsonUpTo64KiB,
    headers: model.headers,
    query: model.query,
    body: model.body,
  })
  .use(web)
  .use(techempower)
  .listen(listen);
