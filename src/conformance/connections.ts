/** Checks of connections in HTTP/1.1. */
import { delay } from "../../scenarios/delay.ts";
import { expectHead, get } from "../../scenarios/expect.ts";
import { json } from "../../scenarios/json.ts";
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

export const CONNECTION_CHECKS: readonly ConformanceCheck[] = [
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
      const { headers } = await respondAndClose(
        context,
        "GET / HTTP/1.0\r\nhost: 127.0.0.1\r\n\r\n",
      );
      // https://www.rfc-editor.org/rfc/rfc9112#section-6.1: a client of HTTP/1.0 does not support chunks.
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
    async run(context): Promise<void> {
      const pieces = ["GE", "T / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-spl", "it: yes\r\n\r\n"];
      text.expect(await respondInPieces(context, pieces, "its head"), context.facts);
      if (!("schema" in context.server.scenarios)) return;
      const request = wireText(schema.request);
      const body = request.indexOf("\r\n\r\n") + 4;
      const middle = Math.floor((body + request.length) / 2);
      const parts = [request.slice(0, body), request.slice(body, middle), request.slice(middle)];
      schema.expect(await respondInPieces(context, parts, "its body"), context.facts);
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
];

/** Sends a request for `/`, and checks its response and that the server closes the connection. */
async function respondAndClose(
  { open, facts }: Context,
  request: string,
): Promise<HttpResponse> {
  using wire = await open();
  await wire.write(request);
  const response = await readResponse(wire);
  text.expect(response, facts);
  const { closed } = await wire.readRest(CLOSING_MS);
  if (closed) return response;
  throw new Mismatch("the connection to be closed", `it still open after ${CLOSING_MS / 1000} s`);
}

async function respondInPieces(
  { open, abort }: Context,
  pieces: readonly string[],
  what: string,
): Promise<HttpResponse> {
  using wire = await open();
  for (const piece of pieces) {
    await wire.write(piece);
    await pause(PAUSE_MS, abort);
  }
  return await readResponse(wire, `a response to a request with ${what} in pieces`);
}

/**
 * Returns the paths of two requests and the checks of their responses. The responses differ, unless
 * the server answers every path in the same way. With `/delay` the first one is slow, to find
 * servers that respond in the order of completion.
 */
function pairOf(
  { scenarios, exceptions }: Server,
): (Pick<Scenario, "expect"> & { readonly path: string })[] {
  const root = { path: "/", expect: text.expect };
  if ("delay" in scenarios) {
    return [{ path: "/delay?every=1&ms=200", expect: delay.expect }, root];
  }
  if ("json" in scenarios) return [{ path: "/json", expect: json.expect }, root];
  if ("unknown-path" in exceptions) return [root, root];
  const path = `/nothing-${crypto.randomUUID()}`;
  return [root, { path, expect: (response) => expectHead(response, 404) }];
}
