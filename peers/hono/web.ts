import { zValidator } from "@hono/zod-validator";
import type { Hono, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { etag } from "hono/etag";
import { streamSSE } from "hono/streaming";
import type { UpgradeWebSocket } from "hono/ws";
import { Buffer } from "node:buffer";
import { env } from "node:process";
import * as schema from "./schema.ts";

/** The functions that differ between runtimes. */
export interface Runtime {
  readText(path: string): Promise<string>;
  readonly serveStatic: (options: {
    root: string;
    rewriteRequestPath: (path: string) => string;
    precompressed: boolean;
  }) => MiddlewareHandler;
  // deno-lint-ignore no-explicit-any -- each runtime has sockets of its own
  readonly upgradeWebSocket: UpgradeWebSocket<any>;
}

const MOST_BYTES = 1_000_000;

export function addWeb(app: Hono, { serveStatic, upgradeWebSocket }: Runtime): void {
  app.use(
    "/static/*",
    etag(),
    serveStatic({
      root: env.STATIC_FOLDER ?? ".",
      rewriteRequestPath: (path) => path.slice("/static".length),
      precompressed: true,
    }),
  );

  app.post("/upload", bodyLimit({ maxSize: MOST_BYTES }), async (c) => {
    const body = await c.req.arrayBuffer();
    const digest = await crypto.subtle.digest("SHA-256", body);
    return c.json({ bytes: body.byteLength, sha256: Buffer.from(digest).toString("hex") });
  });

  app.get("/stream", zValidator("query", schema.stream), (c) => {
    const { events, ms } = c.req.valid("query");
    return streamSSE(c, async (stream) => {
      for (let i = 1; i <= events; i++) {
        if (ms > 0 && i > 1) await stream.sleep(ms);
        await stream.writeSSE({ data: String(i) });
      }
    });
  });

  app.get(
    "/echo",
    upgradeWebSocket(() => ({
      onOpen(_event, socket) {
        // Deno's default, a Blob, cannot be sent back in order
        if (socket.raw?.binaryType === "blob") socket.raw.binaryType = "arraybuffer";
      },
      onMessage({ data }, socket) {
        socket.send(data as string | ArrayBuffer);
      },
    })),
  );
}
