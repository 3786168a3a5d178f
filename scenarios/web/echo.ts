import { Mismatch } from "../../src/model/errors.ts";

/** How long the handshake may take, and then each message, in milliseconds. */
const PATIENCE_MS = 5000;
/** How long all messages may take together, in milliseconds: a server could send one every four seconds. */
const LONGEST_MS = 8000;
/** How long the server may take to agree that the connection closes, in milliseconds. */
const CLOSING_MS = 1000;

/**
 * Sends messages over one WebSocket, all at once, and returns what comes back, until there are as many, nothing
 * has come for five seconds, or eight seconds have passed.
 *
 * @param client whom it trusts over TLS
 * @throws {Mismatch} if it does not open, or nothing comes back.
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
  let timer = setTimeout(late, PATIENCE_MS);
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
    timer = setTimeout(late, PATIENCE_MS);
    if (got.length === sent.length) end("ended");
  };
  socket.onerror = (event) => problem ??= (event as ErrorEvent).message;
  socket.onclose = () => end("ended");
  const how = await ended;
  clearTimeout(timer);
  clearTimeout(latest);
  if (how === "late") problem ??= `nothing within ${PATIENCE_MS / 1000} s`;
  await close(socket);
  if (problem !== null && got.length === 0) {
    throw new Mismatch(wasOpened ? "an echo" : "a WebSocket", problem);
  }
  return got;
}

/** Closes a WebSocket; one whose server does not agree to that is left as it is. */
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
