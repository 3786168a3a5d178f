import { Mismatch } from "../../src/model/errors.ts";

const PATIENCE_MS = 5000;

/**
 * Sends messages over one WebSocket, all at once, and returns what comes back, until there are as many or
 * nothing has come for five seconds.
 *
 * @param client whom it trusts over TLS
 * @throws {Mismatch} if it does not open.
 */
export async function echoed(
  url: string,
  sent: readonly (string | Uint8Array<ArrayBuffer>)[],
  client?: Deno.HttpClient,
): Promise<(string | Uint8Array)[]> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), client === undefined ? {} : { client });
  socket.binaryType = "arraybuffer";
  const got: (string | Uint8Array)[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let timer = setTimeout(end, PATIENCE_MS);
  let problem: string | null = null;
  socket.onopen = () => sent.forEach((message) => socket.send(message));
  socket.onmessage = ({ data }) => {
    got.push(typeof data === "string" ? data : new Uint8Array(data));
    clearTimeout(timer);
    timer = setTimeout(end, PATIENCE_MS);
    if (got.length === sent.length) end();
  };
  socket.onerror = (event) => problem = (event as ErrorEvent).message;
  socket.onclose = () => end();
  await ended;
  clearTimeout(timer);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  const isOpen = socket.readyState < WebSocket.CLOSING;
  socket.close();
  if (isOpen) await closed;
  if (problem !== null && got.length === 0) throw new Mismatch("a WebSocket", problem);
  return got;
}
