import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyParser } from "@koa/bodyparser";
import Router from "@koa/router";
import Koa from "koa";
import { z } from "zod";
import { listen } from "../shared/listen.js";
import { primes } from "../shared/primes.js";
import { books, now, users } from "../shared/rows.js";
import * as schema from "../shared/zod_schemas.js";
import { techempower } from "./techempower.js";
import { web } from "./web.js";

const { HELLO_HTML } = process.env;

const app = new Koa();
const router = new Router();

app.use(async (context, next) => {
  try {
    await next();
  } catch (error) {
    context.status = error instanceof z.ZodError ? 400 : error.status ?? 500;
    if (context.status === 500) console.error(error);
    context.body = { error: error.message };
  }
});

router.get("/", (context) => {
  context.body = "Hello world";
});

router.get("/json", (context) => {
  context.body = { message: "Hello world", ts: new Date() };
});

router.get("/sql1", async (context) => {
  context.body = await now();
});

router.get("/sql2", async (context) => {
  context.body = await users();
});

router.get("/books", async (context) => {
  context.body = { from: "koa", data: await books() };
});

let delayed = 0;

router.get("/delay", async (context) => {
  const { ms, every } = schema.delay.parse(context.query);
  if (++delayed % every === 0) await sleep(ms);
  context.type = "html";
  context.body = await readFile(HELLO_HTML);
});

router.get("/primes", (context) => {
  const { limit } = schema.primes.parse(context.query);
  context.body = { numbers: primes(limit), from: "koa" };
});

router.post("/schema", bodyParser({ enableTypes: ["json"], jsonLimit: 65_536 }), (context) => {
  if (!context.is("application/json")) {
    context.throw(415, "The content type must be application/json");
  }
  schema.headers.parse(context.headers);
  schema.query.parse(context.query);
  schema.body.parse(context.request.body);
  context.body = { message: "Hello, World" };
});

app.use(router.routes());
app.use(techempower.routes());
app.use(web.middleware());
app.use(router.allowedMethods());
app.use(techempower.allowedMethods());

listen(app.callback());
