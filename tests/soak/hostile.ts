/** Hostile clients for a soak. */
import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { ABUSES } from "../abuses.ts";
import { connectTo, readAll, write } from "../rude_client.ts";

/** Maximum lifetime of a hostile client, in ms. */
const STAY_MS = 5000;
/** An abuse disconnects after this time without a byte from the server, in ms. */
const SILENCE_MS = 300;
/** Pause of a slow client between two reads or writes, in ms. */
const SLOW_MS = 100;
const SLOW_READ_BYTES = 512;
/** One-byte chunks per body. */
const TINY_CHUNKS = 2000;
/** Size of a body above the limit of every route, in bytes. */
const HUGE_BYTES = 4_000_000;
/** The largest message `/echo` accepts, in bytes, and the number that a client sends without reading. */
const LONG_MESSAGE = 65_536;
const UNREAD_MESSAGES = 64;

/** The head of a valid WebSocket handshake. */
const HANDSHAKE = "GET /echo HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** One kind of hostile client. */
export interface HostileKind {
  readonly name: string;
  /** Attacks once; errors of its connection are thrown. */
  attack(origin: string): Promise<void>;
}

const CHUNKED = "Transfer-Encoding: chunked\r\n";
const TINY = post(CHUNKED, `${"1\r\nz\r\n".repeat(TINY_CHUNKS)}0\r\n\r\n`);
const BODY = "a".repeat(HUGE_BYTES);
const HUGE = post(`Content-Length: ${HUGE_BYTES}\r\n`, BODY);
const HUGE_CHUNK = post(CHUNKED, `${HUGE_BYTES.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`);

let abuses = 0;

/** All kinds; the load uses them in this order. */
export const HOSTILE_KINDS: readonly HostileKind[] = [
  {
    name: "abuse of the wire",
    attack: (origin) => {
      const { sends, closes = false } = ABUSES[abuses++ % ABUSES.length] ?? { sends: "" };
      return onConnection(origin, async (connection) => {
        await write(connection, bytesOf(sends)).catch(() => {});
        if (closes) await connection.closeWrite();
        await readAll(connection, SILENCE_MS);
      });
    },
  },
  {
    name: "tiny chunks",
    attack: (origin) => send(origin, TINY),
  },
  {
    name: "reset",
    attack: (origin) => reset(origin, get("/fortunes")),
  },
  {
    name: "reset of a handshake",
    attack: (origin) => reset(origin, HANDSHAKE),
  },
  {
    name: "half-close",
    attack: (origin) =>
      onConnection(origin, async (connection) => {
        await write(connection, bytesOf(get("/delay?every=1&ms=100")));
        await connection.closeWrite();
        await readAll(connection, STAY_MS);
      }),
  },
  {
    name: "slow reader",
    attack: (origin) =>
      onConnection(origin, async (connection) => {
        await write(connection, bytesOf(get("/static/words.txt")));
        const buffer = new Uint8Array(SLOW_READ_BYTES);
        while (await connection.read(buffer) !== null) await pause(SLOW_MS);
      }),
  },
  {
    name: "slow writer",
    attack: (origin) =>
      onConnection(origin, async (connection) => {
        for (const byte of get("/json")) {
          await write(connection, bytesOf(byte));
          await pause(SLOW_MS);
        }
      }),
  },
  {
    name: "oversized body with a length",
    attack: (origin) => send(origin, HUGE),
  },
  {
    name: "oversized body in chunks",
    attack: (origin) => send(origin, HUGE_CHUNK),
  },
  {
    name: "broken WebSocket",
    attack: (origin) =>
      onConnection(origin, async (connection) => {
        await write(connection, bytesOf(HANDSHAKE));
        await connection.read(new Uint8Array(1024));
        // An unknown opcode, reserved bits, no mask
        await write(connection, Uint8Array.of(0xf3, 0x01, 0x61));
        await readAll(connection, SILENCE_MS);
      }),
  },
  {
    name: "WebSocket that does not read",
    attack: (origin) =>
      onConnection(origin, async (connection) => {
        await write(connection, bytesOf(HANDSHAKE));
        await connection.read(new Uint8Array(1024));
        const message = maskedMessage(LONG_MESSAGE);
        for (let left = UNREAD_MESSAGES; left > 0; left--) await write(connection, message);
        await pause(STAY_MS);
      }),
  },
  { name: "aborted queries", attack: (origin) => leave(origin, "/queries?queries=500") },
  { name: "aborted stream", attack: (origin) => leave(origin, "/stream?events=10000") },
  { name: "aborted primes", attack: (origin) => leave(origin, "/primes") },
];

/** Encodes Latin-1 text; fast enough for bodies of several megabytes. */
function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
}

function post(headers: string, body: string): string {
  return `POST /upload HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
}

/** Runs `act` on a new connection; closes it afterwards, or after `STAY_MS`. */
async function onConnection(
  origin: string,
  act: (connection: Deno.TcpConn) => Promise<void>,
): Promise<void> {
  const connection = await connectTo(origin);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) connection.close();
    isOpen = false;
  };
  const timer = setTimeout(close, STAY_MS);
  try {
    await act(connection);
  } finally {
    clearTimeout(timer);
    close();
  }
}

/** Sends a request and waits for the response. */
function send(origin: string, request: string): Promise<void> {
  return onConnection(origin, async (connection) => {
    // A server may refuse a request before it has read all of it
    const written = write(connection, bytesOf(request)).catch(() => {});
    await Promise.race([written, readAll(connection, STAY_MS)]);
    await readAll(connection, SILENCE_MS);
  });
}

/** Sends a request and closes the connection without reading. */
function leave(origin: string, path: string): Promise<void> {
  return onConnection(origin, (connection) => write(connection, bytesOf(get(path))));
}

/** Sends a request and resets the connection (RST) immediately. */
function reset(origin: string, request: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname);
  socket.on("error", reject);
  socket.on("close", () => resolve());
  socket.write(request, () => socket.resetAndDestroy());
  return promise;
}

/** Returns a binary message of zeros, masked with zeros. https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
function maskedMessage(length: number): Uint8Array {
  const HEAD = 14;
  const bytes = new Uint8Array(HEAD + length);
  bytes.set([0x82, 0xff]);
  new DataView(bytes.buffer).setUint32(6, length);
  return bytes;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
