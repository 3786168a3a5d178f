import { Readable } from "node:stream";
import Router from "@koa/router";
import compose from "koa-compose";
import conditional from "koa-conditional-get";
import etag from "koa-etag";
import mount from "koa-mount";
import files from "koa-static";
import { digestOfStream, events } from "../shared/web.js";
import * as schema from "../shared/zod_schemas.js";

const router = new Router();

router.post("/upload", async (context) => {
  const digest = await digestOfStream(context.req);
  if (digest === null) context.throw(413, "The body is too large");
  context.body = digest;
});

router.get("/stream", (context) => {
  const { events: count, ms } = schema.stream.parse(context.query);
  context.type = "text/event-stream";
  context.body = Readable.from(events(count, ms));
});

const folder = compose([
  conditional(),
  etag(),
  async (context, next) => {
    context.vary("accept-encoding");
    await next();
  },
  files(process.env.STATIC_FOLDER ?? ".", { index: false }),
]);

export const web = {
  middleware: () => compose([mount("/static", folder), router.routes(), router.allowedMethods()]),
};
