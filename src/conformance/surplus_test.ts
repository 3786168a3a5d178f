import { strictEqual } from "node:assert/strict";
import { get } from "../../scenarios/expect.ts";
import { surplusOf } from "./surplus.ts";
import { type Behaviour, serve } from "./testdata.ts";

const { signal } = new AbortController();

/** The bytes that a server sends too many. */
async function surplus(behaviour: Behaviour): Promise<number> {
  using server = serve(behaviour);
  return await surplusOf(server.origin, get("/"), signal);
}

Deno.test("surplusOf counts what follows an answer", async () => {
  const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
  strictEqual(await surplus({ write: () => answer }), 0);
  strictEqual(await surplus({ write: () => answer + answer }), answer.length);
});

Deno.test("surplusOf leaves it to others to find that there is no answer", async () => {
  strictEqual(await surplus({ write: () => "nonsense\r\n\r\n" }), 0);
  strictEqual(await surplusOf("http://127.0.0.1:1", get("/"), signal), 0);
});
