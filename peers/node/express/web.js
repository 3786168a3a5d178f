import { pipeline } from "node:stream/promises";
import express from "express";
import { digestOf, events, MOST_BYTES } from "../shared/web.js";
import * as schema from "../shared/zod_schemas.js";

export const web = express.Router();

web.use("/static", express.static(process.env.STATIC_FOLDER ?? ".", { index: false }));

const bytes = express.raw({ type: () => true, limit: MOST_BYTES });
web.post("/upload", bytes, (request, response) => {
  // A request without a body has none
  response.json(digestOf(request.body ?? Buffer.alloc(0)));
});

web.get("/stream", async (request, response) => {
  const { events: count, ms } = schema.stream.parse(request.query);
  response.set("content-type", "text/event-stream");
  if (request.method === "HEAD") return response.end();
  await pipeline(events(count, ms), response);
});
