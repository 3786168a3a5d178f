import { Buffer } from "node:buffer";

/** A client that can do things on a connection that `fetch` cannot. */

/** Connects to a server on this machine. */
export function connectTo(origin: string): Promise<Deno.TcpConn> {
  return Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(origin).port) });
}

/** Returns the bytes of a text with one byte per character. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Writes all bytes. */
export async function write(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  let sent = 0;
  while (sent < bytes.length) sent += await connection.write(bytes.subarray(sent));
}

/** Reads until the connection is closed or silent for some milliseconds. Returns one character per byte. */
export async function readAll(connection: Deno.TcpConn, silenceMs: number): Promise<string> {
  const buffer = new Uint8Array(65536);
  let text = "";
  for (;;) {
    const { promise: silence, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), silenceMs);
    const reading = connection.read(buffer).catch(() => null);
    const count = await Promise.race([reading, silence]);
    clearTimeout(timer);
    if (count === null) return text;
    text += Buffer.from(buffer.subarray(0, count)).toString("latin1");
  }
}

/** Returns the memory and open files of the server's process. */
export async function held(pid: number | null): Promise<{ bytes: number; files: number }> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const files = (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length;
  return { bytes: 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]), files };
}

/** Sends requests and closes each connection without reading. */
export async function leave(origin: string, path: string, times: number): Promise<void> {
  const request = bytesOf(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const one = async (): Promise<void> => {
    const connection = await connectTo(origin);
    await write(connection, request);
    connection.close();
  };
  for (let left = times; left > 0; left -= 20) await Promise.all(Array.from({ length: 20 }, one));
}

/** The head of a valid WebSocket handshake, without its last empty line. */
export const HANDSHAKE =
  "GET /echo HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** Opens a WebSocket of `/echo`. The caller writes and reads its frames. */
export async function openEcho(origin: string): Promise<Deno.TcpConn> {
  const connection = await connectTo(origin);
  await write(connection, bytesOf(`${HANDSHAKE}\r\n`));
  const head = await connection.read(new Uint8Array(1000));
  if (head === null) throw new Error("The handshake was not answered");
  return connection;
}

/** First bytes of frames that begin or end a message: https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
export const FRAME = { text: 0x81, binary: 0x82, textStart: 0x01, middle: 0x00, end: 0x80 };

/** Returns a client's frame of `length` zeros, masked with zeros. */
export function frameOf(first: number, length: number): Uint8Array {
  const head = length < 126
    ? [first, 0x80 | length]
    : length < 65_536
    ? [first, 0xfe, length >> 8, length & 0xff]
    : [first, 0xff, 0, 0, 0, 0, ...new Uint8Array(new Uint32Array([length]).buffer).toReversed()];
  const frame = new Uint8Array(head.length + 4 + length);
  frame.set(head);
  return frame;
}

/** Outcome of a {@linkcode flood}. */
export interface Flooded {
  readonly sent: number;
  /** Whether the server has closed the connection. */
  readonly isClosed: boolean;
}

/** Writes the same bytes repeatedly, up to an amount or until the server closes the connection. */
export async function flood(
  connection: Deno.TcpConn,
  piece: Uint8Array,
  { bytes = Infinity, ms = Infinity }: { bytes?: number; ms?: number },
): Promise<Flooded> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = ms === Infinity ? undefined : setTimeout(() => resolve(null), ms);
  let sent = 0;
  try {
    while (sent < bytes) {
      const count = await Promise.race([connection.write(piece), late]);
      if (count === null) break;
      // A frame must be sent completely
      if (count < piece.length) {
        if (await Promise.race([write(connection, piece.subarray(count)), late]) === null) break;
      }
      sent += piece.length;
    }
    return { sent, isClosed: false };
  } catch {
    return { sent, isClosed: true };
  } finally {
    clearTimeout(timer);
  }
}
