import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { books, now, users } from "../shared/rows.js";
import { HttpError, integer, readJson, send, sendJson } from "./http.js";
import { primes } from "./primes.js";
import { assertValid } from "./schema.js";
import * as techempower from "./techempower.js";
import * as web from "./web.js";

const { HELLO_HTML } = process.env;

let delayed = 0;

const routes = new Map([
  ["/", {
    GET: (_request, response) => send(response, "text/plain; charset=utf-8", "Hello world"),
  }],
  ["/json", {
    GET: (_request, response) => sendJson(response, { message: "Hello world", ts: new Date() }),
  }],
  ["/sql1", {
    async GET(_request, response) {
      sendJson(response, await now());
    },
  }],
  ["/sql2", {
    async GET(_request, response) {
      sendJson(response, await users());
    },
  }],
  ["/books", {
    async GET(_request, response) {
      sendJson(response, { from: "node:http", data: await books() });
    },
  }],
  ["/delay", {
    async GET(_request, response, query) {
      const ms = integer(query, "ms", { fallback: 2000, min: 0, max: 60_000 });
      const every = integer(query, "every", { fallback: 10, min: 1, max: 1_000_000 });
      if (++delayed % every === 0) await sleep(ms);
      send(response, "text/html; charset=utf-8", await readFile(HELLO_HTML));
    },
  }],
  ["/primes", {
    async GET(_request, response, query) {
      const limit = integer(query, "limit", { fallback: 1_000_000, min: 2, max: 10_000_000 });
      send(response, "application/json", await primes(limit));
    },
  }],
  ["/schema", {
    async POST(request, response, query) {
      const body = await readJson(request);
      assertValid(request.headers, Object.fromEntries(new URLSearchParams(query)), body);
      sendJson(response, { message: "Hello, World" });
    },
  }],
  ["/plaintext", { GET: techempower.plaintext }],
  ["/db", { GET: techempower.db }],
  ["/queries", { GET: techempower.queries }],
  ["/updates", { GET: techempower.updates }],
  ["/cached", { GET: techempower.cached }],
  ["/fortunes", { GET: techempower.fortunes }],
  ["/upload", { POST: web.upload }],
  ["/stream", { GET: web.stream }],
]);

async function route(request, response) {
  const [path, query] = request.url.split("?", 2);
  if (path.startsWith("/static/")) return web.staticFile(request, response);
  const methods = routes.get(path);
  if (methods === undefined) throw new HttpError(404, "Not found");
  const handler = methods[request.method === "HEAD" ? "GET" : request.method];
  if (handler === undefined) {
    response.setHeader("allow", Object.keys(methods).join(", "));
    throw new HttpError(405, "Method not allowed");
  }
  await handler(request, response, query);
}

export async function listener(request, response) {
  try {
    await route(request, response);
  } catch (error) {
    if (error.code === "ERR_STREAM_PREMATURE_CLOSE") return; // the client has left
    if (!(error instanceof HttpError)) console.error(error);
    if (response.headersSent) return response.destroy();
    sendJson(response, { error: error.message }, error.status ?? 500);
  }
}
