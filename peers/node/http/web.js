import { pipeline } from "node:stream/promises";
import sendFile from "send";
import { digestOfStream, events } from "../shared/web.js";
import { HttpError, integer, sendJson } from "./http.js";

const root = process.env.STATIC_FOLDER;
const PREFIX = "/static".length;

export function staticFile(request, response) {
  if (!["GET", "HEAD"].includes(request.method)) {
    response.setHeader("allow", "GET, HEAD");
    throw new HttpError(405, "Method not allowed");
  }
  sendFile(request, request.url.slice(PREFIX), { root, index: false })
    .on("error", ({ status, message }) => sendJson(response, { error: message }, status))
    .on("directory", () => sendJson(response, { error: "Not found" }, 404))
    .pipe(response);
}

export async function upload(request, response) {
  const digest = await digestOfStream(request);
  if (digest === null) throw new HttpError(413, "The body is too large");
  sendJson(response, digest);
}

export async function stream(request, response, query) {
  const count = integer(query, "events", { fallback: 100, min: 1, max: 10_000 });
  const ms = integer(query, "ms", { fallback: 0, min: 0, max: 1000 });
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (request.method === "HEAD") return response.end();
  await pipeline(events(count, ms), response);
}
