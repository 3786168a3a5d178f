import { file, sleep } from "bun";
import { join } from "node:path";
import { env } from "node:process";
import { digestOf } from "../shared/digest.ts";
import * as schema from "./schema.ts";

const NAME = /^[\w-]+(\.[\w-]+)*$/;
const encoder = new TextEncoder();

/** Returns a file of the folder, with an ETag of its size and time. */
async function staticFile(request: Bun.BunRequest<"/static/:name">): Promise<Response> {
  const { name } = request.params;
  const found = file(join(env.STATIC_FOLDER ?? ".", name));
  if (!NAME.test(name) || !await found.exists()) return new Response(null, { status: 404 });
  const etag = `"${found.size.toString(36)}-${found.lastModified.toString(36)}"`;
  const headers = { etag };
  if (request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(found, { headers });
}

async function upload(request: Request): Promise<Response> {
  return Response.json(digestOf(await request.arrayBuffer()));
}

function stream(request: Request): Response {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const { events, ms } = schema.stream.parse(query);
  async function* body() {
    for (let i = 1; i <= events; i++) {
      if (ms > 0 && i > 1) await sleep(ms);
      yield encoder.encode(`data: ${i}\n\n`);
    }
  }
  return new Response(body(), { headers: { "content-type": "text/event-stream" } });
}

function echo(request: Request, server: Bun.Server<undefined>): Response | undefined {
  if (server.upgrade(request)) return undefined;
  return new Response("Here is a WebSocket", { status: 426 });
}

/** The routes for files, uploads, streams and WebSockets. */
export const web = {
  "/static/:name": { GET: staticFile },
  "/upload": { POST: upload },
  "/stream": { GET: stream },
  "/echo": { GET: echo },
};

/** Sends each message back unchanged. */
export const websocket: Bun.WebSocketHandler<undefined> = {
  message(socket, message) {
    socket.send(message);
  },
};
