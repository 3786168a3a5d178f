import { z } from "zod";
import { listen } from "../shared/listen.ts";
import { sql } from "../shared/sql.ts";
import { primes } from "./primes.ts";
import * as schema from "./schema.ts";
import { techempower } from "./techempower.ts";
import { web, websocket } from "./web.ts";

const { HELLO_HTML = "hello.html" } = process.env;

const MAX_JSON = 65_536;

let delayed = 0;

function query(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams);
}

function isJson(request: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "");
}

Bun.serve({
  ...listen,
  websocket,
  routes: {
    ...techempower,
    ...web,

    "/": { GET: () => new Response("Hello world") },

    "/hello": { GET: () => Response.json({ message: "Hello, World" }) },

    "/json": { GET: () => Response.json({ message: "Hello world", ts: new Date() }) },

    "/sql1": {
      async GET() {
        const [row] = await sql`SELECT now() AS ts`;
        return Response.json(row);
      },
    },

    "/sql2": {
      async GET() {
        const offset = Math.floor(Math.random() * 199_991);
        const rows = await sql`SELECT id, full_name, email FROM users LIMIT 10 OFFSET ${offset}`;
        return Response.json(rows);
      },
    },

    "/books": {
      async GET() {
        return Response.json({ from: "bun", data: await sql`SELECT * FROM books` });
      },
    },

    "/delay": {
      async GET(request) {
        const { ms, every } = schema.delay.parse(query(request));
        if (++delayed % every === 0) await Bun.sleep(ms);
        return new Response(Bun.file(HELLO_HTML));
      },
    },

    "/primes": {
      async GET(request) {
        const { limit } = schema.primes.parse(query(request));
        const headers = { "content-type": "application/json" };
        return new Response(await primes(limit), { headers });
      },
    },

    "/schema": {
      async POST(request) {
        if (!isJson(request)) return new Response("The body must be JSON", { status: 415 });
        schema.headers.parse(request.headers.toJSON());
        schema.query.parse(query(request));
        const body = await request.text();
        if (Buffer.byteLength(body) > MAX_JSON) {
          return new Response("The body is too large", { status: 413 });
        }
        schema.body.parse(JSON.parse(body));
        return Response.json({ message: "Hello, World" });
      },
    },
  },
  error(error) {
    const status = error instanceof z.ZodError || error instanceof SyntaxError ? 400 : 500;
    if (status === 500) console.error(error);
    return Response.json({ error: error.message }, { status });
  },
});
