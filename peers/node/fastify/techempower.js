import view from "@fastify/view";
import ejs from "ejs";
import { fortunes, VIEW, VIEWS } from "../shared/fortunes.js";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "../shared/world.js";
import * as schemas from "./schemas.js";

/** Answers that name their maker. */
export async function techempower(app) {
  app.register(view, { engine: { ejs }, root: VIEWS });
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("server", "Fastify");
  });

  app.get("/plaintext", (_request, reply) => {
    reply.type("text/plain");
    return "Hello, World!";
  });

  app.get("/db", { schema: schemas.world }, () => randomRow());

  app.get(
    "/queries",
    { schema: schemas.worlds },
    (request) => randomRows(countOf(request.query.queries)),
  );

  app.get(
    "/updates",
    { schema: schemas.worlds },
    (request) => updatedRows(countOf(request.query.queries)),
  );

  app.get(
    "/cached",
    { schema: schemas.worlds },
    (request) => cachedRows(countOf(request.query.queries)),
  );

  app.get("/fortunes", async (_request, reply) => {
    reply.type("text/html; charset=utf-8");
    return reply.view(VIEW, { fortunes: await fortunes() });
  });
}
