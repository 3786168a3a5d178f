import express from "express";
import { fortunes, VIEW } from "../shared/fortunes.js";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "../shared/world.js";

export const techempower = express.Router();

function named(_request, response, next) {
  response.set("server", "Express");
  next();
}

techempower.get("/plaintext", named, (_request, response) => {
  response.type("text/plain").send("Hello, World!");
});

techempower.get("/db", named, async (_request, response) => {
  response.json(await randomRow());
});

techempower.get("/queries", named, async (request, response) => {
  response.json(await randomRows(countOf(request.query.queries)));
});

techempower.get("/updates", named, async (request, response) => {
  response.json(await updatedRows(countOf(request.query.queries)));
});

techempower.get("/cached", named, async (request, response) => {
  response.json(await cachedRows(countOf(request.query.queries)));
});

techempower.get("/fortunes", named, async (_request, response) => {
  response.render(VIEW, { fortunes: await fortunes() });
});
