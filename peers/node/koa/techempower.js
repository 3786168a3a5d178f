import { readFileSync } from "node:fs";
import Router from "@koa/router";
import ejs from "ejs";
import { fortunes, VIEW, VIEWS } from "../shared/fortunes.js";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "../shared/world.js";

export const techempower = new Router();

const page = ejs.compile(readFileSync(VIEWS + VIEW, "utf8"));

async function named(context, next) {
  context.set("server", "Koa");
  await next();
}

techempower.get("/plaintext", named, (context) => {
  context.body = "Hello, World!";
});

techempower.get("/db", named, async (context) => {
  context.body = await randomRow();
});

techempower.get("/queries", named, async (context) => {
  context.body = await randomRows(countOf(context.query.queries));
});

techempower.get("/updates", named, async (context) => {
  context.body = await updatedRows(countOf(context.query.queries));
});

techempower.get("/cached", named, async (context) => {
  context.body = await cachedRows(countOf(context.query.queries));
});

techempower.get("/fortunes", named, async (context) => {
  context.type = "html";
  context.body = page({ fortunes: await fortunes() });
});
