import { ok, strictEqual } from "node:assert/strict";
import type { Socket } from "node:net";
import autocannon, { type Client, type Instance } from "autocannon";
import { correct } from "./autocannon_process.ts";
import { serve } from "./testdata/testing.ts";

Deno.test("autocannon sends nothing while it still reads from connections", async () => {
  await using server = serve(() => new Response("right"));
  const clients: (Client & { readonly conn: Socket })[] = [];
  let [responses, hasty] = [0, 0];
  const ended = Promise.withResolvers<void>();
  const instance: Instance = autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections: 4,
    duration: 0.3,
    sampleInt: 50,
    setupClient: (client: Client) => {
      correct(client, { reconnected: () => {}, surplus: () => {} });
      clients.push(client as typeof clients[number]);
    },
  } as autocannon.Options, () => ended.resolve());
  instance.on("response", (client) => {
    responses++;
    const { conn } = client as typeof clients[number];
    const before = conn.bytesWritten;
    // autocannon sends the next request after this event, before it reads further bytes
    queueMicrotask(() => {
      if (conn.bytesWritten > before) hasty++;
    });
  });
  await ended.promise;
  ok(responses > 20, `${responses} responses`);
  strictEqual(hasty, 0, `${hasty} of ${responses} requests were sent at once`);
});
