import { deepStrictEqual } from "node:assert/strict";
import { addressOf } from "./connect.ts";

Deno.test("an origin without a port has the port of its protocol", () => {
  deepStrictEqual(addressOf("http://[::1]"), { hostname: "::1", port: 80, isTls: false });
  deepStrictEqual(addressOf("https://a.example"), {
    hostname: "a.example",
    port: 443,
    isTls: true,
  });
  deepStrictEqual(addressOf("http://127.0.0.1:8000").port, 8000);
});
