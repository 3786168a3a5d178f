import { Readable } from "node:stream";
import files from "@fastify/static";
import websocket from "@fastify/websocket";
import { digestOf, echo, events, MOST_BYTES } from "../shared/web.js";
import * as schemas from "./schemas.js";

export async function web(app) {
  await app.register(websocket, { options: { maxPayload: 1_000_000 } });
  app.register(files, {
    root: process.env.STATIC_FOLDER,
    prefix: "/static/",
    index: false,
    preCompressed: true,
  });

  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser(
      "*",
      { parseAs: "buffer" },
      (_request, body, done) => done(null, body),
    );
    uploads.post(
      "/upload",
      { bodyLimit: MOST_BYTES },
      (request) => digestOf(request.body ?? Buffer.alloc(0)),
    );
  });

  app.get("/stream", { schema: schemas.stream }, (request, reply) => {
    const { events: count, ms } = request.query;
    reply.type("text/event-stream");
    return reply.send(Readable.from(events(count, ms)));
  });

  app.get("/echo", { websocket: true }, echo);
}
