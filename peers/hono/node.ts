import { serve, upgradeWebSocket } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import { env } from "node:process";
import { WebSocketServer } from "ws";
import { addRoutes } from "./app.ts";

const app = new Hono();
addRoutes(app, { readText: (path) => readFile(path, "utf8"), serveStatic, upgradeWebSocket });

const secure = env.TLS_CERT && env.TLS_KEY && {
  createServer,
  serverOptions: { cert: readFileSync(env.TLS_CERT), key: readFileSync(env.TLS_KEY) },
};

serve({
  fetch: app.fetch,
  hostname: env.HOST,
  port: Number(env.PORT),
  websocket: { server: new WebSocketServer({ noServer: true }) },
  ...secure,
});
