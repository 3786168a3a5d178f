/** The type of a check, and raw HTTP/1.1 for checks, because `fetch` hides details. */
import { Buffer } from "node:buffer";
import { latin1, LONGEST_BODY, tooLong } from "../model/body.ts";
import { messageOf, Mismatch } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import type { Facts, HttpRequest, HttpResponse } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { addressOf, connect } from "../process/connect.ts";

/** Input of a check: the server under test, and functions that send requests to it. */
export interface Context {
  readonly origin: string;
  readonly server: Server;
  readonly facts: Facts;
  /** Aborts pending operations; they throw its reason. */
  readonly abort: AbortSignal;
  /** Sends one request on a new connection; throws a `Mismatch` without a response. */
  readonly ask: (request: HttpRequest) => Promise<HttpResponse>;
  /** Opens a connection. */
  readonly open: () => Promise<Wire>;
}

/** One requirement that servers must meet. */
export interface ConformanceCheck {
  /** Name in the `exceptions` of a manifest. */
  readonly id: string;
  readonly name: string;
  /** Whether a failure is a warning. Otherwise the server fails unless its manifest excepts it. */
  readonly isAdvice?: boolean;
  /** The check applies to servers that implement one of these; by default `text`. */
  readonly scenarios?: readonly string[];
  /** Whether the check also applies to servers with minimal HTTP. */
  readonly isMinimal?: boolean;
  /** Throws a `Mismatch` if the server does not meet the requirement. */
  run(context: Context): Promise<void>;
}

/** Time limit of one response, and of every other expected event, in milliseconds. */
const DEADLINE_MS = 5000;
/** Maximum number of bytes that a message quotes. */
const EXCERPT = 60;
/** Maximum size of one read, in bytes. */
const READ_BYTES = 65_536;
const LATE = new Error("The deadline has passed");

/** A TCP or TLS connection that writes and reads raw bytes. It closes when it is disposed. */
export class Wire implements Disposable {
  readonly #connection: Deno.Conn;
  readonly #abort: AbortSignal;
  /** Received bytes. Those from index `#from` to `#to` are not read yet. */
  #bytes: Buffer = Buffer.alloc(READ_BYTES);
  #from = 0;
  #to = 0;
  #bytesRead = 0;
  /** A read that has missed its deadline and is still pending. */
  #reading: Promise<number | null> | null = null;
  #hasEnded = false;
  /** What the server should send next, and the deadline on the clock of `performance.now()`. */
  #wanted = { what: "", untilMs: 0 };

  private constructor(connection: Deno.Conn, abort: AbortSignal) {
    this.#connection = connection;
    this.#abort = abort;
  }

  /** Connects to a server, or throws a `Mismatch`. `abort` makes operations throw its reason. */
  static async open(origin: string, abort: AbortSignal): Promise<Wire> {
    const connecting = connect(addressOf(origin));
    try {
      return new Wire(await inTime(connecting, DEADLINE_MS, LATE, abort), abort);
    } catch (error) {
      connecting.then((connection) => connection.close(), () => {}); // if it opens too late
      abort.throwIfAborted();
      const what = `a connection within ${DEADLINE_MS / 1000} s`;
      throw new Mismatch(what, error === LATE ? "nothing" : messageOf(error));
    }
  }

  /** Sends text. Does nothing if the server has already closed the connection. */
  async write(text: string): Promise<void> {
    let rest = new TextEncoder().encode(text);
    try {
      while (rest.length > 0) {
        const writing = this.#connection.write(rest);
        rest = rest.subarray(await inTime(writing, DEADLINE_MS, LATE, this.#abort));
      }
    } catch (error) {
      if (this.#abort.aborted) throw error;
      if (error !== LATE) return; // the next read reports the end of the connection
      throw new Mismatch("the request to be read", "a connection that accepts no more bytes");
    }
  }

  /** Sets a deadline of five seconds for the next reads; `what` names the expected bytes. */
  expect(what: string): void {
    const untilMs = performance.now() + DEADLINE_MS;
    this.#wanted = { what: `${what} within ${DEADLINE_MS / 1000} s`, untilMs };
  }

  /** Returns the text before the first `end`, which is ASCII. Throws a `Mismatch` if it is late. */
  async readTo(end: string): Promise<string> {
    for (let searched = 0;;) {
      const at = this.#received.indexOf(end, searched);
      if (at >= 0) return latin1((await this.readBytes(at + end.length)).subarray(0, at));
      searched = Math.max(0, this.#received.length - end.length + 1);
      await this.#demand();
    }
  }

  /** Reads a number of bytes. Throws a `Mismatch` if fewer arrive in time. */
  async readBytes(count: number): Promise<Uint8Array> {
    while (this.#received.length < count) await this.#demand();
    const bytes = new Uint8Array(this.#received.subarray(0, count));
    this.#from += count;
    this.#bytesRead += count;
    return bytes;
  }

  /** Reads for `ms` milliseconds, by default to the deadline, or until the connection closes. */
  async readRest(ms?: number): Promise<{ bytes: Uint8Array; closed: boolean }> {
    const untilMs = ms === undefined ? this.#wanted.untilMs : performance.now() + ms;
    while (await this.#receive(untilMs));
    return { bytes: await this.readBytes(this.#received.length), closed: this.#hasEnded };
  }

  /** Number of bytes that have been read from this connection. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  get #received(): Buffer {
    return this.#bytes.subarray(this.#from, this.#to);
  }

  async #demand(): Promise<void> {
    const { what, untilMs } = this.#wanted;
    if (await this.#receive(untilMs)) return;
    const bytes = this.#received;
    const start = latin1(bytes.subarray(0, EXCERPT)) + (bytes.length > EXCERPT ? "..." : "");
    const only = bytes.length === 0 ? "" : JSON.stringify(start);
    if (!this.#hasEnded) throw new Mismatch(what, only ? `only ${only}` : "nothing");
    throw new Mismatch(what, `the connection closed${only && ` after ${only}`}`);
  }

  /** Waits for bytes. Returns false if the connection closes or the deadline passes first. */
  async #receive(untilMs: number): Promise<boolean> {
    const leftMs = untilMs - performance.now();
    if (this.#hasEnded || leftMs < 0) return false; // also if bytes arrive without a pause
    // A reset also ends the connection
    this.#reading ??= this.#connection.read(this.#space()).catch(() => null);
    try {
      const count = await inTime(this.#reading, leftMs, LATE, this.#abort);
      this.#reading = null;
      this.#hasEnded = count === null;
      this.#to += count ?? 0;
      return !this.#hasEnded;
    } catch (error) {
      if (error === LATE) return false;
      throw error;
    }
  }

  /** Returns room for a read. Throws a `Mismatch` above 64 MiB: no response may be longer. */
  #space(): Uint8Array {
    if (this.#bytes.length - this.#to < READ_BYTES) {
      const received = this.#received;
      if (received.length > LONGEST_BODY) throw tooLong();
      this.#bytes = Buffer.alloc(2 * (received.length + READ_BYTES));
      this.#bytes.set(received);
      [this.#from, this.#to] = [0, received.length];
    }
    return this.#bytes.subarray(this.#to, this.#to + READ_BYTES);
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

/** Returns the text of a request; `more` are additional headers. */
export function wireText(
  { method, path, headers, body }: HttpRequest,
  more: Readonly<Record<string, string>> = {},
): string {
  const length = body === null && method !== "POST"
    ? {}
    : { "content-length": String(new TextEncoder().encode(body ?? "").length) };
  const fields = Object.entries({ host: "127.0.0.1", ...length, ...headers, ...more });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

/** A response with its body as bytes, compressed if it has a content coding, and as text. */
interface RawResponse extends HttpResponse {
  readonly body: Uint8Array;
  /** Length of the status line and the headers, in bytes. */
  readonly headBytes: number;
  /** Status of the first interim response before it; null if none. */
  readonly interimStatus: number | null;
}

/**
 * Reads the next response of a connection: https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 *
 * @param what a description, such as "a response to request 2"
 * @param method of the request: a response to HEAD has no body
 * @throws {Mismatch} if no complete HTTP response arrives within five seconds.
 */
export async function readResponse(
  wire: Wire,
  what = "a response",
  method: HttpRequest["method"] = "GET",
): Promise<RawResponse> {
  wire.expect(what);
  let interimStatus: number | null = null;
  let start = wire.bytesRead;
  let head = await readHead(wire);
  // 101 is the only final status below 200: https://www.rfc-editor.org/rfc/rfc9110#section-15.2
  while (head.status < 200 && head.status !== 101) {
    interimStatus ??= head.status;
    start = wire.bytesRead;
    head = await readHead(wire);
  }
  const { status, headers } = head;
  const hasBody = method !== "HEAD" && status >= 200 && status !== 204 && status !== 304;
  const headBytes = wire.bytesRead - start;
  const body = hasBody ? await readBody(wire, headers) : new Uint8Array();
  return { ...head, body, text: new TextDecoder().decode(body), interimStatus, headBytes };
}

async function readHead(wire: Wire): Promise<Pick<HttpResponse, "status" | "headers">> {
  const [first = "", ...fields] = (await wire.readTo("\r\n\r\n")).split("\r\n");
  const status = /^HTTP\/1\.[01] (\d{3})( |$)/.exec(first)?.[1];
  if (status === undefined) throw new Mismatch("a status line of HTTP/1.1", JSON.stringify(first));
  const headers = new Headers();
  for (const field of fields) {
    const [, name, value] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(field) ?? [];
    if (name === undefined || value === undefined) {
      throw new Mismatch("a header field", JSON.stringify(field));
    }
    headers.append(name, value);
  }
  return { status: Number(status), headers };
}

async function readBody(wire: Wire, headers: Headers): Promise<Uint8Array> {
  const coding = headers.get("transfer-encoding");
  if (coding !== null) {
    if (coding.toLowerCase() === "chunked") return await readChunks(wire);
    throw new Mismatch("no transfer coding but chunked", coding);
  }
  const length = headers.get("content-length");
  if (length !== null) {
    if (!/^\d+$/.test(length)) throw new Mismatch("a length in Content-Length", length);
    return await wire.readBytes(Number(length));
  }
  const { bytes, closed } = await wire.readRest(); // the body ends with the connection
  if (closed) return bytes;
  throw new Mismatch("a response that has a length or ends with its connection", "neither");
}

async function readChunks(wire: Wire): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let length = 0;;) {
    const line = await wire.readTo("\r\n");
    const size = /^[0-9a-f]+(?=\s*(;|$))/i.exec(line)?.[0];
    if (size === undefined) throw new Mismatch("the size of a chunk", JSON.stringify(line));
    if (/^0+$/.test(size)) break;
    const chunk = await wire.readBytes(parseInt(size, 16));
    length += chunk.length;
    if (length > LONGEST_BODY) throw tooLong();
    chunks.push(chunk);
    const end = await wire.readTo("\r\n");
    if (end !== "") throw new Mismatch("the end of a chunk", JSON.stringify(end));
  }
  while (await wire.readTo("\r\n") !== ""); // trailers
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** Sends one request on a new connection. Throws a `Mismatch` without a valid response. */
export async function askOnce(
  origin: string,
  request: HttpRequest,
  abort: AbortSignal,
): Promise<HttpResponse> {
  const { method, path } = request;
  using wire = await Wire.open(origin, abort);
  await wire.write(wireText(request, { connection: "close" }));
  return await readResponse(wire, `a response to ${method} ${path}`, method);
}

/** How long an idle connection is read, in ms: surplus bytes follow a response immediately. */
const WAIT_MS = 20;

/**
 * Looks for output that load generators mistake for responses. It sends a request on a new
 * connection, reads the response, and reads the bytes after it.
 *
 * @param repeatMs how long to repeat a GET or HEAD on the same connection, in ms
 * @returns the number of bytes after the last response, and the status of the first interim
 *   response, or null; 0 and null if the server does not respond.
 * @throws the reason of `abort` if that signal is aborted.
 */
export async function extrasOf(
  origin: string,
  request: HttpRequest,
  abort: AbortSignal,
  repeatMs = 0,
): Promise<Pick<RawResponse, "interimStatus"> & { readonly surplusBytes: number }> {
  const isRepeated = request.method === "GET" || request.method === "HEAD";
  const untilMs = performance.now() + (isRepeated ? repeatMs : 0);
  try {
    using wire = await Wire.open(origin, abort);
    let interimStatus: number | null = null;
    let isKept = true;
    do {
      await wire.write(wireText(request, { host: new URL(origin).host }));
      const response = await readResponse(wire, "a response", request.method);
      interimStatus ??= response.interimStatus;
      isKept = !/\bclose\b/i.test(response.headers.get("connection") ?? "");
    } while (isKept && performance.now() < untilMs);
    return { surplusBytes: (await wire.readRest(WAIT_MS)).bytes.length, interimStatus };
  } catch (error) {
    if (error instanceof Mismatch) return { surplusBytes: 0, interimStatus: null };
    throw error;
  }
}
