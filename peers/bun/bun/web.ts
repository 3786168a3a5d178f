import { sleep } from "bun";
import { env } from "node:process";
import { digestOf } from "../shared/digest.ts";
import * as schema from "./schema.ts";

const encoder = new TextEncoder();

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
  "/static/*": { dir: env.STATIC_FOLDER ?? "." },
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
