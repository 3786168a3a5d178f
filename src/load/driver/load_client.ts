/** Connections that send the same requests repeatedly: HTTP requests or WebSocket messages. */
import { createHash } from "node:crypto";
import { latin1 } from "../../model/body.ts";
import type { HttpRequest } from "../../model/scenario.ts";
import { addressOf, connect, OPENING_MS } from "../../process/connect.ts";
import type { Talk } from "../generator.ts";
import { Garbage, headIn, type ParsedResponse, ResponseReader } from "./response_reader.ts";

/** Plain HTTP requests, one at a time. */
export const ONE_BY_ONE = { protocol: "http", pipelined: 1, mix: [] } as const;

/** A connection that sends the same requests repeatedly. */
export abstract class Client {
  /** A read that was started while no response was due. */
  protected ahead: Promise<number | null> | null = null;

  protected constructor(protected readonly socket: Deno.Conn) {}

  /** The free part of the buffer, for the next bytes. */
  protected abstract get room(): Uint8Array<ArrayBuffer>;

  /** Sends one batch of requests and reads the first response; throws if there is none. */
  abstract ask(): Promise<ParsedResponse>;

  /** Reads the next response of the batch, as {@linkcode ask} does. */
  abstract next(): Promise<ParsedResponse>;

  /** Calls back if bytes arrive or the connection ends before the next request is sent. */
  watch(onEvent: (event: "bytes" | "end") => void): void {
    this.ahead ??= this.socket.read(this.room);
    this.ahead.then((count) => onEvent(count === null ? "end" : "bytes"), () => onEvent("end"));
  }

  /** Closes the connection. A pending read ends. */
  close(): void {
    try {
      this.socket.close();
    } catch {
      // It is already closed
    }
  }
}

/**
 * Returns a function that opens a connection for the given requests. It fails if a handshake, of TLS or of a
 * WebSocket, takes more than 0.1 s longer than `timeoutS` seconds.
 */
export function opener(
  { origin, request, protocol, pipelined, expected, mix, timeoutS = OPENING_MS / 1000 }:
    & Talk
    & { readonly timeoutS?: number },
): () => Promise<Client> {
  const address = addressOf(origin);
  // A little later than the request that waits for the connection, which then counts as overdue
  const limitMs = 1000 * timeoutS + 2 * TIMEOUT_STEP_MS;
  if (protocol === "websocket") return () => SocketClient.open(address, origin, request, limitMs);
  const kinds = mix.length > 0 ? mix : [{ request, expected, weight: 1 }];
  const nextKind = roundRobin(kinds.map(({ weight }) => weight));
  const batches = kinds.map((kind) => encodeRequest(origin, kind.request, pipelined));
  return async () => {
    const lines = kinds.map(({ request: { method }, expected }, kind) => ({
      bytes: batches[kind] as Uint8Array<ArrayBuffer>,
      responses: new ResponseReader(method === "HEAD", expected, { pipelined, kind }),
    }));
    return new Connection(await connect(address, limitMs), lines, nextKind);
  };
}

/** Returns the bytes of a request, or of several that are sent at once. */
export function encodeRequest(
  origin: string,
  { method, path, headers, body }: HttpRequest,
  count = 1,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const length = encoder.encode(body ?? "").length;
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(names.has("host") ? [] : [`host: ${new URL(origin).host}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null || names.has("content-length") ? [] : [`content-length: ${length}`]),
  ];
  return encoder.encode(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`.repeat(count));
}

/** Interval between two checks for overdue requests, in milliseconds. */
const TIMEOUT_STEP_MS = 50;

/** One connection of a loop, while it is open, and the time of its request. */
export class Line {
  connection: Client | null = null;
  /** Start of the request in flight, in milliseconds; null without one, or after its timeout. */
  sinceMs: number | null = null;
  /** Whether the server closed the connection after an idle time. */
  isClosed = false;

  /** Closes the connection. The next request opens a new one. */
  drop(): void {
    this.connection?.close();
    this.connection = null;
    this.isClosed = false;
  }

  /** Starts a timer that ends requests after `timeoutS` seconds. */
  static endOverdue(lines: readonly Line[], timeoutS: number): ReturnType<typeof setInterval> {
    return setInterval(() => {
      const latestMs = performance.now() - 1000 * timeoutS;
      for (const line of lines) {
        if (line.sinceMs === null || line.sinceMs > latestMs) continue;
        line.sinceMs = null;
        line.connection?.close(); // its pending read fails; the opening of one has a time limit
      }
    }, TIMEOUT_STEP_MS);
  }
}

/**
 * Returns a function that chooses the index of an item, in proportion to weights above 0. Unlike
 * random choice, it is even in the short run. By smooth weighted round-robin, as in nginx:
 * https://en.wikipedia.org/wiki/Weighted_round_robin
 */
export function roundRobin(weights: readonly number[]): () => number {
  const sum = weights.reduce((sum, weight) => sum + weight, 0);
  const credits = weights.map(() => 0);
  return () => {
    let best = 0;
    for (let i = 0; i < weights.length; i++) {
      credits[i] = (credits[i] ?? 0) + (weights[i] ?? 0);
      if ((credits[i] ?? 0) > (credits[best] ?? 0)) best = i;
    }
    credits[best] = (credits[best] ?? 0) - sum; // so others come next
    return best;
  };
}

/** The bytes of one batch of a kind of request, and the reader of its responses. */
type RequestKind = { readonly bytes: Uint8Array<ArrayBuffer>; readonly responses: ResponseReader };

/** An HTTP connection. Responses arrive in the order of the requests. */
class Connection extends Client {
  readonly #kinds: readonly RequestKind[];
  readonly #nextKind: () => number;
  #kind: RequestKind;

  /** @param kinds at least one; the buffers of their readers are empty */
  constructor(socket: Deno.Conn, kinds: readonly RequestKind[], nextKind: () => number) {
    super(socket);
    this.#kinds = kinds;
    this.#nextKind = nextKind;
    this.#kind = kinds[nextKind()] as RequestKind;
  }

  protected get room(): Uint8Array<ArrayBuffer> {
    return this.#kind.responses.room;
  }

  async ask(): Promise<ParsedResponse> {
    const { bytes, responses } = this.#kind;
    let sent = await this.socket.write(bytes);
    while (sent < bytes.length) sent += await this.socket.write(bytes.subarray(sent));
    for (;;) {
      const count = await (this.ahead ?? this.socket.read(responses.room));
      this.ahead = null;
      const response = count === null ? responses.ended() : responses.filled(count);
      if (response !== null) {
        if (this.#kinds.length > 1) this.#kind = this.#kinds[this.#nextKind()] as RequestKind;
        return response;
      }
      if (count === null) throw new Error("The server closed the connection");
    }
  }

  async next(): Promise<ParsedResponse> {
    const { responses } = this.#kind;
    for (let count: number | null = 0;; count = await this.socket.read(responses.room)) {
      const response = count === null ? responses.ended() : responses.filled(count);
      if (response !== null) return response;
      if (count === null) throw new Error("The server closed the connection");
    }
  }
}

/** The first message, before its number is incremented. All messages have the same length. */
const TEXT = `Stampede, message ${"0".repeat(10)}`;
const LENGTH = TEXT.length;
/** First bytes of frames. https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
const TEXT_FRAME = 0x81;
const CLOSE_FRAME = 0x88;
const IS_MASKED = 0x80;
/** Number of bytes before the text of a sent frame, four of them for the mask. */
const SENT_HEAD = 6;
/** Number of bytes before the text of an echo, which has no mask. */
const ECHO_HEAD = 2;
const SWITCHED = 101;
/** Value that the server appends to the key. https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const KEY = btoa("stampede-message");
/** Headers of a handshake. https://www.rfc-editor.org/rfc/rfc6455#section-4.1 */
export const HANDSHAKE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": KEY,
} as const;
const ZERO = 48;
const NINE = 57;

/** Sends numbered WebSocket messages one at a time, so a lost or repeated echo is detected. */
class SocketClient extends Client {
  /** The frame to send. Its mask, which is required, is zero and leaves the text unchanged. */
  readonly #sent: Uint8Array<ArrayBuffer> = new Uint8Array(SENT_HEAD + LENGTH);
  protected readonly room: Uint8Array<ArrayBuffer> = new Uint8Array(4096);

  private constructor(socket: Deno.Conn) {
    super(socket);
    this.#sent.set([TEXT_FRAME, IS_MASKED | LENGTH]);
    this.#sent.set(new TextEncoder().encode(TEXT), SENT_HEAD);
  }

  /** Opens a WebSocket. */
  static async open(
    address: Parameters<typeof connect>[0],
    origin: string,
    request: HttpRequest,
    limitMs: number,
  ): Promise<SocketClient> {
    const client = new SocketClient(await connect(address, limitMs));
    const timer = setTimeout(() => client.close(), limitMs); // its pending read fails
    try {
      const headers = { ...HANDSHAKE, ...request.headers };
      await client.socket.write(encodeRequest(origin, { ...request, headers }));
      await client.#readUpgrade();
      return client;
    } catch (error) {
      client.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #readUpgrade(): Promise<void> {
    let length = 0;
    let head: ReturnType<typeof headIn> = null;
    while (head === null) {
      const count = await this.socket.read(this.room.subarray(length));
      if (!count) throw new Garbage("The server did not switch to WebSocket");
      length += count;
      head = headIn(this.room, length, 0, false);
    }
    const { status, length: end } = head;
    if (status !== SWITCHED) {
      throw new Garbage(`The server answered with status ${status} instead of ${SWITCHED}`);
    }
    const accept = createHash("sha1").update(KEY + GUID).digest("base64");
    if (!latin1(this.room.subarray(0, end)).includes(accept)) {
      throw new Garbage("The header sec-websocket-accept does not match the key");
    }
    if (length > end) throw new Garbage("The server sent bytes before the first message");
  }

  async ask(): Promise<ParsedResponse> {
    this.#increment();
    const sent = await this.socket.write(this.#sent);
    if (sent < this.#sent.length) await this.socket.write(this.#sent.subarray(sent));
    let length = 0;
    for (;;) {
      const count = await (this.ahead ?? this.socket.read(this.room.subarray(length)));
      this.ahead = null;
      if (count === null) throw new Error("The server closed the connection");
      length += count;
      if (length < ECHO_HEAD) continue;
      const [kind = 0, size = 0] = this.room;
      if (kind === CLOSE_FRAME) throw new Error("The server closed the connection");
      if (kind !== TEXT_FRAME || size !== LENGTH) {
        throw new Garbage(`Unexpected frame of ${size} bytes that begins with byte ${kind}`);
      }
      if (length < ECHO_HEAD + LENGTH) continue;
      if (length > ECHO_HEAD + LENGTH) throw new Garbage("The server sent bytes after the echo");
      let isRight = true;
      for (let i = 0; i < LENGTH; i++) {
        if (this.room[ECHO_HEAD + i] !== this.#sent[SENT_HEAD + i]) isRight = false;
      }
      return {
        status: 200, // a message has no status
        kind: 0,
        bytes: ECHO_HEAD + LENGTH,
        keepsAlive: true,
        isChecked: true,
        wrong: isRight ? null : latin1(this.room.subarray(ECHO_HEAD, length)),
      };
    }
  }

  /** Increments the number in the message. */
  #increment(): void {
    let i = this.#sent.length - 1;
    for (; this.#sent[i] === NINE; i--) this.#sent[i] = ZERO;
    this.#sent[i] = (this.#sent[i] ?? ZERO) + 1;
  }

  /** Sends the next message and reads its echo, because only one is in flight at a time. */
  next(): Promise<ParsedResponse> {
    return this.ask();
  }
}
