import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { addressOf, connect, freePort } from "./connect.ts";

Deno.test("an origin without a port has the port of its protocol", () => {
  deepStrictEqual(addressOf("http://[::1]"), { hostname: "::1", port: 80, isTls: false });
  deepStrictEqual(addressOf("https://a.example"), {
    hostname: "a.example",
    port: 443,
    isTls: true,
  });
  deepStrictEqual(addressOf("http://127.0.0.1:8000").port, 8000);
});

Deno.test("freePort gives each port once, because servers that start together do not listen yet", () => {
  // If ports were random, two of 500 would be equal in almost all runs
  strictEqual(new Set(Array.from({ length: 500 }, freePort)).size, 500);
});

Deno.test("a TLS handshake that the server does not answer ends after its time limit", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = listener.accept();
  const { port } = listener.addr;
  await rejects(connect({ hostname: "127.0.0.1", port, isTls: true }, 50), {
    name: "Failure",
    message: `127.0.0.1:${port} did not finish the TLS handshake within 0.05 s`,
  });
  (await accepted).close();
});
