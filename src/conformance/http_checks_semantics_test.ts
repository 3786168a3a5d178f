import { match, strictEqual } from "node:assert/strict";
import {
  type Behaviour,
  HELLO,
  JSON_TYPE,
  problemOf,
  type RawReply,
  type RawRequest,
  rightSite,
  server,
  sleep,
  writeRightly,
} from "./conformance_testdata.ts";

const ALL = server(["text", "json", "delay", "primes", "schema"]);

/** Returns a correct server with changes to some of its responses. */
function except(change: (request: RawRequest, response: RawReply) => Partial<RawReply>): Behaviour {
  const site = rightSite();
  return {
    respond: async (request) => {
      const response = await site(request);
      return { ...response, ...change(request, response) };
    },
  };
}

function withDate(date: () => string): Behaviour {
  return except((_request, { headers }) => ({ headers: { ...headers, date: date() } }));
}

Deno.test("date: valid, now, and moving", async () => {
  strictEqual(await problemOf("date", {}), null);
  const frozen = new Date().toUTCString();
  strictEqual(
    await problemOf("date", withDate(() => frozen)),
    `expected a later Date 1.5 s after ${frozen}, got ${frozen}`,
  );
  const old = new Date(Date.now() - 3600_000).toUTCString();
  match(await problemOf("date", withDate(() => old)) ?? "", /^expected a Date within a minute of/);
  match(
    await problemOf("date", withDate(() => new Date().toISOString())) ?? "",
    /^expected a Date such as \w{3}, \d\d \w{3} \d{4} .* GMT, got \d{4}-\d\d-/,
  );
  const none: Behaviour = {
    write: (...response) => writeRightly(...response).replace(/date: .*\r\n/, ""),
  };
  match(await problemOf("date", none) ?? "", /GMT, got none$/);
});

Deno.test("unknown-path: 404", async () => {
  strictEqual(await problemOf("unknown-path", {}), null);
  const home = except(({ path }) => /^\/nothing/.test(path) ? { status: 200, body: "home" } : {});
  strictEqual(await problemOf("unknown-path", home), "expected status 404, got 200 home");
});

Deno.test("head: like GET without the body", async () => {
  strictEqual(await problemOf("head", {}, ALL), null);
  const onHead = (change: Partial<RawReply>): Behaviour =>
    except(({ method }) => method === "HEAD" ? change : {});
  strictEqual(
    await problemOf("head", onHead({ status: 405 })),
    "expected status 200 for HEAD / as for GET, got 405",
  );
  strictEqual(
    await problemOf("head", onHead({ headers: {} })),
    "expected Content-Type text/plain;charset=UTF-8 for HEAD / as for GET, got none",
  );
  strictEqual(
    await problemOf("head", onHead({ body: "" })),
    "expected Content-Length 11 for HEAD / as for GET, got 0",
  );
  const withBody: Behaviour = {
    write: (request, response) => writeRightly({ ...request, method: "GET" }, response),
  };
  strictEqual(
    await problemOf("head", withBody),
    "expected no body in the response to HEAD /, got 11 bytes",
  );
  const onlyRoot = except(({ method, path }) =>
    method === "HEAD" && path !== "/" ? { status: 404 } : {}
  );
  strictEqual(await problemOf("head", onlyRoot), null);
  strictEqual(
    await problemOf("head", onlyRoot, ALL),
    "expected status 200 for HEAD /json as for GET, got 404",
  );
});

Deno.test("method: 405 and Allow", async () => {
  strictEqual(await problemOf("method", {}, ALL), null);
  const notFound = except((_request, { status }) => status === 405 ? { status: 404 } : {});
  strictEqual(
    await problemOf("method", notFound),
    "expected status 405 for POST /, got 404",
  );
  const bare = except((_request, { status }) => status === 405 ? { headers: {} } : {});
  strictEqual(await problemOf("method", bare), "expected GET in Allow for POST /, got no Allow");
  const careless = except(({ method, path }) =>
    method === "GET" && path === "/schema" ? { status: 200 } : {}
  );
  strictEqual(await problemOf("method", careless), null);
  strictEqual(
    await problemOf("method", careless, ALL),
    "expected status 405 for GET /schema, got 200",
  );
});

Deno.test("bad-parameter: 400", async () => {
  strictEqual(await problemOf("bad-parameter", {}, ALL), null);
  const tolerant = except((_request, { status }) => status === 400 ? { status: 200 } : {});
  const problem = (id: string): Promise<string | null> =>
    problemOf("bad-parameter", tolerant, server([id]));
  strictEqual(await problem("delay"), "expected status 400 for /delay?ms=-1, got 200");
  strictEqual(await problem("primes"), "expected status 400 for /primes?limit=1, got 200");
});

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
