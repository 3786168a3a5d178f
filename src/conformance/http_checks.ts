/** Checks of HTTP/1.1: of connections, and of single responses (docs/contract.md). */
import { delay } from "../../scenarios/delay.ts";
import { expectHead, get } from "../../scenarios/expect.ts";
import { json } from "../../scenarios/json.ts";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { schema } from "../../scenarios/schema.ts";
import { text } from "../../scenarios/text.ts";
import { Mismatch } from "../model/errors.ts";
import type { HttpResponse, Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { pause } from "../process/pause.ts";
import { type ConformanceCheck, type Context, readResponse, wireText } from "./http.ts";

/** Pause after which a written piece has arrived separately, in milliseconds. */
const PAUSE_MS = 50;
/** Longest time until a server closes a connection that it should close, in milliseconds. */
const CLOSING_MS = 1000;
/** How long a kept connection must stay open, in ms: longer than a server takes to close one. */
const KEEPING_MS = 300;
/** Maximum time until a server updates its date, in ms: each second, by a timer that may be late. */
const SECOND_MS = 1500;
/** How long to wait for a body that must not come, in milliseconds. */
const BODY_MS = 500;
/** Fast variants of slow paths, by scenario. */
const QUICK: Readonly<Record<string, string>> = {
  delay: "/delay?ms=0",
  primes: "/primes?limit=10",
};
/** Scenarios with the same bytes in every response. */
const STABLE: readonly string[] = ["text", "delay"];
/**
 * Invalid parameters by scenario: not a number, or out of range. The third path asks for a delay of
 * every millionth request only, so a server that wrongly accepts 60,001 ms does not delay the
 * check.
 */
const BAD: Readonly<Record<string, readonly string[]>> = {
  delay: ["/delay?ms=-1", "/delay?ms=soon", "/delay?ms=60001&every=1000000", "/delay?ms=0&every=0"],
  primes: ["/primes?limit=1", "/primes?limit=many", "/primes?limit="],
};

export const HTTP_CHECKS: readonly ConformanceCheck[] = [
  {
    id: "keep-alive", // every load generator relies on it
    name: "answers several requests on one connection",
    isMinimal: true,
    async run({ open, facts }): Promise<void> {
      using wire = await open();
      const ask = async (which: string): Promise<void> => {
        await wire.write(wireText(text.request));
        const response = await readResponse(wire, `a response to the ${which} request`);
        text.expect(response, facts);
        if (/\bclose\b/i.test(response.headers.get("connection") ?? "")) {
          const got = `"Connection: close" in the ${which} response`;
          throw new Mismatch("the connection to be kept", got);
        }
      };
      for (const which of ["first", "second", "third"]) await ask(which);
      const { closed, bytes } = await wire.readRest(KEEPING_MS);
      if (closed) throw new Mismatch("the connection to be kept", "it closed after three requests");
      if (bytes.length > 0) {
        throw new Mismatch("nothing after a response", `${bytes.length} bytes more`);
      }
      await ask("fourth");
    },
  },
  {
    id: "http-1.0",
    name: "answers HTTP/1.0 and closes the connection",
    async run(context): Promise<void> {
      const request = "GET / HTTP/1.0\r\nhost: 127.0.0.1\r\n\r\n";
      const { headers } = await respondAndClose(context, request);
      // A client of HTTP/1.0 does not support chunks: https://www.rfc-editor.org/rfc/rfc9112#section-6.1
      const coding = headers.get("transfer-encoding");
      if (coding === null) return;
      throw new Mismatch("no transfer coding in a response to HTTP/1.0", coding);
    },
  },
  {
    id: "connection-close",
    name: "closes the connection on request",
    async run(context): Promise<void> {
      await respondAndClose(context, wireText(text.request, { connection: "close" }));
    },
  },
  {
    id: "split-request",
    name: "answers requests that arrive in pieces",
    async run({ open, server, facts, abort }): Promise<void> {
      const respond = async (pieces: readonly string[], what: string): Promise<HttpResponse> => {
        using wire = await open();
        for (const piece of pieces) {
          await wire.write(piece);
          await pause(PAUSE_MS, abort);
        }
        return await readResponse(wire, `a response to a request with ${what} in pieces`);
      };
      const pieces = ["GE", "T / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-spl", "it: yes\r\n\r\n"];
      text.expect(await respond(pieces, "its head"), facts);
      if (!("schema" in server.scenarios)) return;
      const request = wireText(schema.request);
      const body = request.indexOf("\r\n\r\n") + 4;
      const middle = Math.floor((body + request.length) / 2);
      const parts = [request.slice(0, body), request.slice(body, middle), request.slice(middle)];
      schema.expect(await respond(parts, "its body"), facts);
    },
  },
  {
    id: "pipelining",
    name: "answers pipelined requests in order",
    async run({ open, server, facts }): Promise<void> {
      const pair = pairOf(server);
      using wire = await open();
      await wire.write(pair.map(({ path }) => wireText(get(path))).join(""));
      for (const [i, { expect }] of pair.entries()) {
        const which = i === 0 ? "first" : "second";
        expect(await readResponse(wire, `a response to the ${which} of two requests`), facts);
      }
    },
  },
  {
    id: "date",
    name: "sends a Date header",
    async run({ ask, abort }): Promise<void> {
      const first = dateOf(await ask(text.request));
      await pause(SECOND_MS, abort);
      const second = dateOf(await ask(text.request));
      if (second > first) return;
      throw new Mismatch(
        `a later Date ${SECOND_MS / 1000} s after ${new Date(first).toUTCString()}`,
        new Date(second).toUTCString(),
      );
    },
  },
  {
    id: "unknown-path",
    name: "answers 404 for an unknown path",
    async run({ ask }): Promise<void> {
      expectHead(await ask(get(`/nothing-${crypto.randomUUID()}`)), 404);
    },
  },
  {
    id: "head",
    name: "answers HEAD as GET, without the body",
    isAdvice: true,
    async run({ open, server, ask }): Promise<void> {
      for (const { id, request } of scenariosOf(server)) {
        if (request.method !== "GET") continue;
        const path = QUICK[id] ?? request.path;
        const whole = await ask(get(path));
        using wire = await open();
        await wire.write(wireText({ ...get(path), method: "HEAD" }, { connection: "close" }));
        const response = await readResponse(wire, `a response to HEAD ${path}`, "HEAD");
        expectSameHead(whole, response, path, STABLE.includes(id));
        const { bytes } = await wire.readRest(BODY_MS);
        if (bytes.length > 0) {
          throw new Mismatch(`no body in the response to HEAD ${path}`, `${bytes.length} bytes`);
        }
      }
    },
  },
  {
    id: "method",
    name: "answers 405 with Allow to another method",
    isAdvice: true,
    async run({ server, ask }): Promise<void> {
      for (const { request } of scenariosOf(server)) {
        const path = request.path.split("?")[0] ?? "";
        const method = request.method === "GET" ? "POST" : "GET";
        const { status, headers } = await ask({ ...get(path), method });
        const asked = `for ${method} ${path}`;
        if (status !== 405) throw new Mismatch(`status 405 ${asked}`, String(status));
        const allow = headers.get("allow");
        if (!allow?.split(/\s*,\s*/).includes(request.method)) {
          throw new Mismatch(`${request.method} in Allow ${asked}`, allow ?? "no Allow");
        }
      }
    },
  },
  {
    id: "bad-parameter",
    name: "answers 400 to a bad parameter",
    isAdvice: true,
    scenarios: Object.keys(BAD),
    async run({ server, ask }): Promise<void> {
      for (const [id, paths] of Object.entries(BAD)) {
        for (const path of id in server.scenarios ? paths : []) {
          const { status } = await ask(get(path));
          if (status !== 400) throw new Mismatch(`status 400 for ${path}`, String(status));
        }
      }
    },
  },
];

/** Sends a request for `/`, and checks its response and that the server closes the connection. */
async function respondAndClose({ open, facts }: Context, request: string): Promise<HttpResponse> {
  using wire = await open();
  await wire.write(request);
  const response = await readResponse(wire);
  text.expect(response, facts);
  const { closed } = await wire.readRest(CLOSING_MS);
  if (closed) return response;
  throw new Mismatch("the connection to be closed", `it still open after ${CLOSING_MS / 1000} s`);
}

/**
 * Returns the paths of two requests and the checks of their responses. The responses differ, unless
 * the server answers every path in the same way. With `/delay` the first one is slow, to find
 * servers that respond in the order of completion.
 */
function pairOf({ scenarios, exceptions }: Server): { path: string; expect: Scenario["expect"] }[] {
  const root = { path: "/", expect: text.expect };
  if ("delay" in scenarios) return [{ path: "/delay?every=1&ms=200", expect: delay.expect }, root];
  if ("json" in scenarios) return [{ path: "/json", expect: json.expect }, root];
  if ("unknown-path" in exceptions) return [root, root];
  const path = `/nothing-${crypto.randomUUID()}`;
  return [root, { path, expect: (response) => expectHead(response, 404) }];
}

function scenariosOf({ scenarios }: Server): Scenario[] {
  return SCENARIOS.filter(({ id, protocol }) => id in scenarios && protocol === "http");
}

/** Returns the date in a response in ms: https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1 */
function dateOf({ headers }: HttpResponse): number {
  const field = headers.get("date");
  const time = Date.parse(field ?? "");
  // ECMAScript formats dates like IMF-fixdate.
  if (Number.isNaN(time) || new Date(time).toUTCString() !== field) {
    throw new Mismatch(`a Date such as ${new Date().toUTCString()}`, field ?? "none");
  }
  if (Math.abs(Date.now() - time) > 60_000) {
    throw new Mismatch(`a Date within a minute of ${new Date().toUTCString()}`, field);
  }
  return time;
}

function expectSameHead(
  get: HttpResponse,
  head: HttpResponse,
  path: string,
  isStable: boolean,
): void {
  const expectSame = (what: string, expected: string | null, got: string | null): void => {
    if (expected === got) return;
    throw new Mismatch(`${what} ${expected ?? "none"} for HEAD ${path} as for GET`, got ?? "none");
  };
  expectSame("status", String(get.status), String(head.status));
  expectSame("Content-Type", get.headers.get("content-type"), head.headers.get("content-type"));
  // A length is optional: https://www.rfc-editor.org/rfc/rfc9110#section-8.6
  if (!isStable || !head.headers.has("content-length")) return;
  const length = String(new TextEncoder().encode(get.text).length);
  expectSame("Content-Length", length, head.headers.get("content-length"));
}
