import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import { z } from "zod";
import { VIEWS } from "../shared/fortunes.js";
import { listen } from "../shared/listen.js";
import { primes, primesAsPublished } from "../shared/primes.js";
import { books, now, users } from "../shared/rows.js";
import * as schema from "../shared/zod_schemas.js";
import { techempower } from "./techempower.js";
import { web } from "./web.js";

const { HELLO_HTML } = process.env;

const app = express();
app.disable("x-powered-by");
app.set("views", VIEWS);

app.get("/", (_request, response) => {
  response.type("text").send("Hello world");
});

app.get("/hello", (_request, response) => {
  response.json({ message: "Hello, World" });
});

app.get("/hello-later", async (_request, response) => {
  await sleep(100);
  response.type("text").send("Hello, World!");
});

app.get("/json", (_request, response) => {
  response.json({ message: "Hello world", ts: new Date() });
});

app.get("/sql1", async (_request, response) => {
  response.json(await now());
});

app.get("/sql2", async (_request, response) => {
  response.json(await users());
});

app.get("/books", async (_request, response) => {
  response.json({ from: "express", data: await books() });
});

let delayed = 0;

app.get("/delay", async (request, response) => {
  const { ms, every } = schema.delay.parse(request.query);
  if (++delayed % every === 0) await sleep(ms);
  // The path may lead through a hidden folder, which is not served otherwise.
  response.sendFile(resolve(HELLO_HTML), { dotfiles: "allow" });
});

app.get("/primes", (request, response) => {
  const { limit } = schema.primes.parse(request.query);
  response.json({ numbers: primes(limit), from: "express" });
});

app.get("/primes-published", (request, response) => {
  const { limit } = schema.primes.parse(request.query);
  response.json({ numbers: primesAsPublished(limit), from: "express" });
});

app.post("/schema", express.json({ limit: "64kb" }), (request, response) => {
  if (!request.is("json")) {
    response.status(415).json({ error: "The content type must be application/json" });
    return;
  }
  schema.headers.parse(request.headers);
  schema.query.parse(request.query);
  schema.body.parse(request.body);
  response.json({ message: "Hello, World" });
});

app.use(techempower);
app.use(web);

app.use((error, _request, response, next) => {
  if (response.headersSent) return next(error); // https://expressjs.com/en/guide/error-handling.html
  const status = error instanceof z.ZodError ? 400 : error.status ?? 500;
  if (status === 500) console.error(error);
  response.status(status).json({ error: error.message });
});

listen(app);
