import { Hono } from "hono";
import { serveStatic, upgradeWebSocket } from "hono/deno";
import { addRoutes } from "./app.ts";

const { env } = Deno;
const cert = env.get("TLS_CERT");
const key = env.get("TLS_KEY");

const app = new Hono();
addRoutes(app, { readText: Deno.readTextFile, serveStatic, upgradeWebSocket });

Deno.serve({
  hostname: env.get("HOST"),
  port: Number(env.get("PORT")),
  ...(cert && key && { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) }),
  onListen: () => {},
}, app.fetch);
