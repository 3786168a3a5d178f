import { staticPlugin } from "@elysiajs/static";
import { sleep } from "bun";
import { Elysia, sse } from "elysia";
import { env } from "node:process";
import { digestOf } from "../shared/digest.ts";
import * as model from "./models.ts";

/** The routes for files, uploads, streams and WebSockets. */
export const web = new Elysia()
  .use(await staticPlugin({ assets: env.STATIC_FOLDER ?? ".", prefix: "/static" }))
  .post("/upload", ({ body }) => digestOf(body as ArrayBuffer), { parse: "arrayBuffer" })
  .get("/stream", async function* ({ query: { events, ms } }) {
    for (let i = 1; i <= events; i++) {
      if (ms > 0 && i > 1) await sleep(ms);
      yield sse({ data: String(i) });
    }
  }, { query: model.stream })
  .ws("/echo", {
    message(socket, message) {
      socket.send(message);
    },
  });
