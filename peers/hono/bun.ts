import { Hono } from "hono";
import { serveStatic, upgradeWebSocket, websocket } from "hono/bun";
import { env } from "node:process";
import { addRoutes } from "./app.ts";

const app = new Hono();
addRoutes(app, { readText: (path) => Bun.file(path).text(), serveStatic, upgradeWebSocket });

Bun.serve({
  hostname: env.HOST,
  port: env.PORT,
  idleTimeout: 120, // seconds; the default of 10 is too short for slow responses
  ...(env.TLS_CERT && { tls: { cert: Bun.file(env.TLS_CERT), key: Bun.file(env.TLS_KEY) } }),
  fetch: app.fetch,
  websocket,
});
