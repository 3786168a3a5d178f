import { readFileSync } from "node:fs";
import ejs from "ejs";
import { fortunes as rows, VIEW, VIEWS } from "../shared/fortunes.js";
import { cachedRows, countOf, randomRow, randomRows, updatedRows } from "../shared/world.js";

const page = ejs.compile(readFileSync(VIEWS + VIEW, "utf8"));

export function plaintext(_request, response) {
  answer(response, "text/plain", "Hello, World!");
}

export async function db(_request, response) {
  answerJson(response, await randomRow());
}

export async function queries(_request, response, query) {
  answerJson(response, await randomRows(countOf(new URLSearchParams(query).get("queries"))));
}

export async function updates(_request, response, query) {
  answerJson(response, await updatedRows(countOf(new URLSearchParams(query).get("queries"))));
}

export async function cached(_request, response, query) {
  answerJson(response, await cachedRows(countOf(new URLSearchParams(query).get("queries"))));
}

export async function fortunes(_request, response) {
  answer(response, "text/html; charset=utf-8", page({ fortunes: await rows() }));
}

function answerJson(response, value) {
  answer(response, "application/json", JSON.stringify(value));
}

/** Sends a response with the header Server. All headers at once are faster than setHeader for one of them. */
function answer(response, type, body) {
  response.writeHead(200, {
    "server": "Node.js",
    "content-type": type,
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}
