import { deepStrictEqual, ok } from "node:assert/strict";
import { get, post } from "../../scenarios/expect.ts";
import type { HttpRequest } from "../model/scenario.ts";
import { type Extras, extrasOf } from "./surplus.ts";
import { type Behaviour, serve } from "./conformance_testdata.ts";

const { signal } = new AbortController();
const RESPONSE = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
const NONE: Extras = { surplusBytes: 0, interimStatus: null };

async function extras(
  behaviour: Behaviour,
  request: HttpRequest = get("/"),
  repeatMs = 0,
): Promise<Extras> {
  using server = serve(behaviour);
  return await extrasOf(server.origin, request, signal, repeatMs);
}

Deno.test("extrasOf counts the bytes after a response", async () => {
  deepStrictEqual(await extras({ write: () => RESPONSE }), NONE);
  const twice = await extras({ write: () => RESPONSE + RESPONSE });
  deepStrictEqual(twice, { surplusBytes: RESPONSE.length, interimStatus: null });
});

Deno.test("extrasOf leaves it to others to find that there is no response", async () => {
  deepStrictEqual(await extras({ write: () => "nonsense\r\n\r\n" }), NONE);
  deepStrictEqual(await extrasOf("http://127.0.0.1:1", get("/"), signal), NONE);
});

Deno.test("extrasOf tells of interim responses", async () => {
  for (const status of [100, 102, 103]) {
    const interim = `HTTP/1.1 ${status} \r\nlink: </a>; rel=preload\r\n\r\n`;
    const { interimStatus, surplusBytes } = await extras({ write: () => interim + RESPONSE });
    deepStrictEqual([interimStatus, surplusBytes], [status, 0]);
  }
});

Deno.test("extrasOf asks again on the same connection, unless that may change something", async () => {
  let gets = 0;
  const late: Behaviour = { write: () => ++gets > 20 ? RESPONSE + RESPONSE : RESPONSE };
  ok((await extras(late, get("/"), 300)).surplusBytes > 0);
  // Counted apart: the first server may still receive a request after its client has its responses.
  let posts = 0;
  const counted: Behaviour = {
    write: () => {
      posts++;
      return RESPONSE;
    },
  };
  deepStrictEqual(await extras(counted, post("/", "{}"), 300), NONE);
  deepStrictEqual(posts, 1);
});
