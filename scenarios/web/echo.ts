import { Mismatch } from "../../src/model/errors.ts";

/** Maximum wait for the handshake, and for each message, in ms. */
const TIMEOUT_MS = 5000;
/**
 * Maximum wait for all messages, in ms. Without it, a server that sends a message every 4 s would
 * never exceed `TIMEOUT_MS`.
 */
const LONGEST_MS = 8000;
/** Maximum wait for the server to confirm the close, in ms. */
const CLOSING_MS = 1000;

/**
 * Sends messages over one WebSocket, all at once, and returns the echoes. It stops when every echo has
 * arrived, after five seconds without a message, or after eight seconds.
 *
 * @param client trusts the server's certificate
 * @throws {Mismatch} if the WebSocket does not open, or no echo arrives.
 */
export async function echoed(
  url: string,
  sent: readonly (string | Uint8Array<ArrayBuffer>)[],
  client?: Deno.HttpClient,
): Promise<(string | Uint8Array)[]> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), client === undefined ? {} : { client });
  socket.binaryType = "arraybuffer";
  const got: (string | Uint8Array)[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<"late" | "ended">();
  const late = (): void => end("late");
  let timer = setTimeout(late, TIMEOUT_MS);
  const latest = setTimeout(late, LONGEST_MS);
  let problem: string | null = null;
  let wasOpened = false;
  socket.onopen = () => {
    wasOpened = true;
    sent.forEach((message) => socket.send(message));
  };
  socket.onmessage = ({ data }) => {
    got.push(typeof data === "string" ? data : new Uint8Array(data));
    clearTimeout(timer);
    timer = setTimeout(late, TIMEOUT_MS);
    if (got.length === sent.length) end("ended");
  };
  socket.onerror = (event) => problem ??= (event as ErrorEvent).message;
  socket.onclose = () => end("ended");
  const how = await ended;
  clearTimeout(timer);
  clearTimeout(latest);
  if (how === "late") problem ??= `nothing within ${TIMEOUT_MS / 1000} s`;
  await close(socket);
  if (problem !== null && got.length === 0) {
    throw new Mismatch(wasOpened ? "an echo" : "a WebSocket", problem);
  }
  return got;
}

/**
 * Closes a WebSocket, and waits until the server confirms the close, at most {@linkcode CLOSING_MS}.
 * Without a confirmation it stays open, because Deno cannot terminate it.
 */
async function close(socket: WebSocket): Promise<void> {
  if (socket.readyState >= WebSocket.CLOSING) return;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.onclose = () => resolve();
  socket.onerror = null;
  const timer = setTimeout(resolve, CLOSING_MS);
  socket.close();
  await closed;
  clearTimeout(timer);
}
