import { readFileSync } from "node:fs";
import ejs from "ejs";
import { fortunes as rows, VIEW, VIEWS } from "../shared/fortunes.js";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "../shared/world.js";
import { send, sendJson } from "./http.js";

const page = ejs.compile(readFileSync(VIEWS + VIEW, "utf8"));

export function plaintext(_request, response) {
  send(named(response), "text/plain", "Hello, World!");
}

export async function db(_request, response) {
  sendJson(named(response), await randomRow());
}

export async function queries(_request, response, query) {
  sendJson(named(response), await randomRows(countOf(new URLSearchParams(query).get("queries"))));
}

export async function updates(_request, response, query) {
  sendJson(named(response), await updatedRows(countOf(new URLSearchParams(query).get("queries"))));
}

export async function cached(_request, response, query) {
  sendJson(named(response), await cachedRows(countOf(new URLSearchParams(query).get("queries"))));
}

export async function fortunes(_request, response) {
  send(named(response), "text/html; charset=utf-8", page({ fortunes: await rows() }));
}

function named(response) {
  return response.setHeader("server", "Node.js");
}
