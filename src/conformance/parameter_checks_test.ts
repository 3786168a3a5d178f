import { match, strictEqual } from "node:assert/strict";
import {
  type Behaviour,
  HELLO,
  JSON_TYPE,
  problemOf,
  rightSite,
  server,
  sleep,
} from "./conformance_testdata.ts";

const DELAY = server(["delay"]);
const HTML = { headers: { "content-type": "text/html;charset=utf-8" }, body: HELLO };

/** Returns servers with a counter per process, each with some of the connections. */
function processes(count: number): Behaviour {
  const sites = Array.from({ length: count }, rightSite);
  return { respond: (request) => sites[request.connection % count]?.(request) ?? null };
}

Deno.test("delay-counter: one for all connections", async () => {
  strictEqual(await problemOf("delay-counter", {}, DELAY), null);
  strictEqual(
    await problemOf("delay-counter", processes(1000), DELAY),
    "expected every 4th of 12 requests to wait, each on a new connection, got no wait",
  );
  const wrong =
    /^expected every 4th of 12 requests to wait, .*got (no wait|waits at the requests )/;
  match(await problemOf("delay-counter", processes(2), DELAY) ?? "", wrong);
  match(await problemOf("delay-counter", processes(3), DELAY) ?? "", wrong);
  // The right number of waits, but not at every fourth request.
  let count = 0;
  const atOnce: Behaviour = {
    respond: async () => {
      if (++count <= 3) await sleep(800);
      return HTML;
    },
  };
  strictEqual(
    await problemOf("delay-counter", atOnce, DELAY),
    "expected every 4th of 12 requests to wait, each on a new connection, got waits at the requests 1, 2, 3",
  );
});

Deno.test("delay-parallel: a request that waits holds up no other", async () => {
  strictEqual(await problemOf("delay-parallel", {}, DELAY), null);
  const site = rightSite();
  const blocking = (threads: number): Behaviour => {
    const queues = Array.from({ length: threads }, () => Promise.resolve());
    return {
      respond: async (request) => {
        const turn = request.connection % threads;
        const response = (queues[turn] ?? Promise.resolve()).then(() => site(request));
        queues[turn] = response.then(() => {});
        return await response;
      },
    };
  };
  const wrong = /^expected 20 waits of 300 ms side by side, got \d{4} ms for all$/;
  match(await problemOf("delay-parallel", blocking(1), DELAY) ?? "", wrong);
  match(await problemOf("delay-parallel", blocking(3), DELAY) ?? "", wrong);
  let asked = 0;
  const heldUpOnce: Behaviour = {
    respond: async (request) => {
      if (++asked <= 20) await sleep(1600);
      return await site(request);
    },
  };
  strictEqual(await problemOf("delay-parallel", heldUpOnce, DELAY), null);
  // The server accepts only three connections at once.
  const small = { ...DELAY, maxConnections: 3 };
  strictEqual(await problemOf("delay-parallel", blocking(3), small), null);
});

Deno.test("any-limit: the primes up to any limit", async () => {
  const manifest = server(["primes"]);
  strictEqual(await problemOf("any-limit", {}, manifest), null);
  const knowing = (limits: readonly string[]): Behaviour => {
    const site = rightSite();
    return {
      respond: (request) =>
        limits.includes(request.parameters.get("limit") ?? "")
          ? site(request)
          : { headers: JSON_TYPE, body: '{"numbers":[2,3,5,7],"from":"memory"}' },
    };
  };
  match(await problemOf("any-limit", knowing(["1000"]), manifest) ?? "", /^expected .*2\], got/);
  match(await problemOf("any-limit", knowing(["2"]), manifest) ?? "", /^expected .*, got .*7\]/);
});
