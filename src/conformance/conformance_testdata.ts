/** Servers for tests: a correct one, and ways to make it wrong. */
import type { Facts } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { CHECKS, outcomeOf } from "./conform.ts";

/** A request that the server has read. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly version: string;
  readonly headers: Headers;
  /** Index of its connection, from 0. */
  readonly connection: number;
}

/** A response of the server. */
export interface RawReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The behaviour of a server; by default it is correct. */
export interface Behaviour {
  /** Splits requests from the beginning of the received text. */
  readonly take?: (received: string) => { requests: string[]; rest: string };
  /** Order of the responses to requests that arrived together. */
  readonly order?: (requests: RawRequest[]) => RawRequest[];
  readonly respond?: (request: RawRequest) => RawReply | null | Promise<RawReply | null>;
  readonly closes?: (request: RawRequest) => boolean;
  /** Returns the bytes of a response. */
  readonly write?: (request: RawRequest, response: RawReply) => string;
}

/** A running server. It ends when it is disposed. */
export interface Constructed extends Disposable {
  readonly origin: string;
}

export const HELLO = "<h1>hello</h1>";

/** Splits requests as in RFC 9112: complete ones only, in whatever pieces they arrive. */
export function takeWhole(received: string): { requests: string[]; rest: string } {
  const requests: string[] = [];
  let rest = received;
  for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
    const length = Number(/content-length: *(\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
    if (rest.length < end + 4 + length) break;
    requests.push(rest.slice(0, end + 4 + length));
    rest = rest.slice(end + 4 + length);
  }
  return { requests, rest };
}

/** Returns whether the connection closes after this request by the rules of HTTP/1.0 and 1.1. */
export function closesRightly({ version, headers }: RawRequest): boolean {
  return version === "1.0" || headers.get("connection") === "close";
}

/** Returns a response with length and date, and without a body for HEAD. */
export function writeRightly(
  { method }: RawRequest,
  { status = 200, headers, body }: RawReply,
): string {
  const fields = {
    date: new Date().toUTCString(),
    "content-length": String(new TextEncoder().encode(body).length),
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} \r\n${lines}\r\n${method === "HEAD" ? "" : body}`;
}

/** Starts a server on raw sockets. */
export function serve(behaviour: Behaviour = {}): Constructed {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const all = { ...right(), ...behaviour };
  (async () => {
    let count = 0;
    for await (const connection of listener) {
      open.add(connection);
      const number = count++;
      converse(connection, number, all).catch(() => {}) // the client has disconnected
        .finally(() => {
          if (open.delete(connection)) connection.close();
        });
    }
  })();
  return {
    origin: `http://127.0.0.1:${listener.addr.port}`,
    [Symbol.dispose]: () => {
      listener.close();
      for (const connection of open) connection.close();
      open.clear();
    },
  };
}

async function converse(
  connection: Deno.Conn,
  number: number,
  { take, order, respond, closes, write }: Required<Behaviour>,
): Promise<void> {
  const buffer = new Uint8Array(65536);
  let received = "";
  for (;;) {
    const count = await connection.read(buffer);
    if (count === null) return;
    const { requests, rest } = take(received + new TextDecoder().decode(buffer.slice(0, count)));
    received = rest;
    for (const request of order(requests.map((text) => parse(text, number)))) {
      const content = await respond(request);
      if (content === null) continue;
      const bytes = new TextEncoder().encode(write(request, content));
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
      if (closes(request)) return;
    }
  }
}

function parse(text: string, connection: number): RawRequest {
  const [first = "", ...fields] = text.split("\r\n\r\n")[0]?.split("\r\n") ?? [];
  const [, method = "", server = "/", version = ""] = /^(\S+) (\S+) HTTP\/(.*)$/.exec(first) ?? [];
  const url = new URL(server, "http://host");
  const pairs = fields.map((field) => field.split(": ") as [string, string]);
  return {
    method,
    path: url.pathname,
    parameters: url.searchParams,
    version,
    connection,
    headers: new Headers(pairs),
  };
}

/** Returns the routes that need no database. `/delay` has one counter for all connections. */
export function rightSite(): (request: RawRequest) => Promise<RawReply> {
  let count = 0;
  return async ({ method, path, parameters }) => {
    const response = await PAGES[path]?.(parameters, () => ++count);
    if (response === undefined) return { status: 404, body: "" };
    const allowed = path === "/schema" ? ["POST"] : ["GET", "HEAD"];
    if (allowed.includes(method)) return response;
    return { status: 405, headers: { allow: allowed.join(", ") }, body: "" };
  };
}

type Page = (parameters: URLSearchParams, count: () => number) => RawReply | Promise<RawReply>;

export const JSON_TYPE = { "content-type": "application/json" };
const BAD: RawReply = { status: 400, body: "" };

const PAGES: Readonly<Record<string, Page>> = {
  "/": () => ({ headers: { "content-type": "text/plain;charset=UTF-8" }, body: "Hello world" }),
  "/json": () => ({
    headers: JSON_TYPE,
    body: JSON.stringify({ message: "Hello world", ts: new Date() }),
  }),
  "/delay": async (parameters, count) => {
    const [ms, every] = [parameters.get("ms") ?? "2000", parameters.get("every") ?? "10"];
    if (!/^\d+$/.test(ms) || Number(ms) > 60_000 || !/^[1-9]\d*$/.test(every)) return BAD;
    if (count() % Number(every) === 0) await sleep(Number(ms));
    return { headers: { "content-type": "text/html; charset=utf-8" }, body: HELLO };
  },
  "/primes": (parameters) => {
    const limit = parameters.get("limit") ?? "1000000";
    if (!/^\d+$/.test(limit) || Number(limit) < 2) return BAD;
    const numbers: number[] = [];
    for (let n = 2; n <= Number(limit); n++) {
      let prime = true;
      for (let d = 2; d * d <= n && prime; d++) prime = n % d !== 0;
      if (prime) numbers.push(n);
    }
    return { headers: JSON_TYPE, body: JSON.stringify({ numbers, from: "test" }) };
  },
  "/schema": () => ({ headers: JSON_TYPE, body: '{"message":"Hello, World"}' }),
};

/** Waits. A pending wait does not keep a test from ending. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function right(): Required<Behaviour> {
  return {
    take: takeWhole,
    order: (requests) => requests,
    respond: rightSite(),
    closes: closesRightly,
    write: writeRightly,
  };
}

/** Returns the manifest of a server that implements these scenarios. */
export function server(scenarios: readonly string[], change: Partial<Server> = {}): Server {
  return {
    id: "test",
    name: "Test",
    http: "full",
    exceptions: {},
    maxConnections: null,
    scenarios: Object.fromEntries(scenarios.map((id) => [id, {}])),
    ...change,
  } as Server;
}

const NO_DATABASE: Facts = {
  helloHtml: HELLO,
  rows: () => Promise.reject(new Error("There is no database")),
};

/**
 * Runs one check on a server.
 *
 * @returns what is wrong; null if nothing is.
 */
export async function problemOf(
  id: string,
  behaviour: Behaviour,
  manifest: Server = server(["text"]),
  facts: Facts = NO_DATABASE,
): Promise<string | null> {
  using server = serve(behaviour);
  const check = CHECKS.find((other) => other.id === id);
  if (check === undefined) throw new Error(`There is no check ${id}`);
  const abort = new AbortController().signal;
  const context = { origin: server.origin, server: manifest, facts, abort };
  return (await outcomeOf(check, context)).message;
}
