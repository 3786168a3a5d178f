import { Buffer } from "node:buffer";
import { setImmediate, setTimeout } from "node:timers/promises";
import {
  MAX_LOST_UPGRADES,
  MAX_MESSAGE_BYTES,
  MAX_SOCKETS,
  SOCKET_IDLE_S,
  UPGRADE_DELAY_MS,
} from "../limits.ts";
import { collectSoon } from "../memory.ts";
import { HttpError } from "../problem.ts";
import type { Handler } from "../router.ts";
import { Unsent } from "../unsent.ts";

const VERSION = "13";
/** Sixteen bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;
/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
/** Turns of the event loop in which a reset that has arrived certainly reaches the request's signal. */
const NOTICE_TURNS = 8;

/**
 * Returns the handler of `GET /echo`: a WebSocket that sends each message back.
 *
 * @param upgrade Deno's, unless a test has another
 */
export function echo(upgrade: typeof Deno.upgradeWebSocket = Deno.upgradeWebSocket): Handler {
  let open = 0;
  let lost = 0;
  return async (request) => {
    assertHandshake(request);
    if (lost >= MAX_LOST_UPGRADES || open >= MAX_SOCKETS) {
      throw new HttpError(503, "There are too many WebSockets: try again later", {
        "retry-after": "1",
      });
    }
    const { signal } = request;
    open++;
    try {
      await untilConnected(signal, UPGRADE_DELAY_MS * (1 + lost));
    } catch (error) {
      open--;
      throw error;
    }
    const { socket, response } = upgrade(request, { idleTimeout: SOCKET_IDLE_S });
    let isOver = false;
    const end = (isLost: boolean): void => {
      if (isOver) return;
      isOver = true;
      open--;
      if (isLost && ++lost === MAX_LOST_UPGRADES) reportLost();
    };
    const isConnecting = (): boolean => socket.readyState === WebSocket.CONNECTING;
    // Deno could not send the response. It keeps the connection, and the socket gets no event
    signal.addEventListener("abort", () => isConnecting() && end(true));
    socket.onerror = () => isConnecting() && end(false);
    socket.onclose = () => end(false);
    const unsent = new Unsent(socket);
    socket.onmessage = ({ data }) => {
      if (isTooBig(data)) {
        socket.close(TOO_BIG, `A message has at most ${MAX_MESSAGE_BYTES} bytes`);
        collectSoon();
      } else if (unsent.add(data.length ?? data.byteLength)) {
        socket.close(POLICY_VIOLATION, "Messages are not read as fast as they are sent");
      } else {
        socket.send(data);
      }
    };
    return response;
  };
}

/**
 * Checks what a client must send: https://www.rfc-editor.org/rfc/rfc6455#section-4.2.1
 *
 * @throws {HttpError} 426 if it is no WebSocket or another version, 400 if something is missing.
 */
function assertHandshake({ method, headers }: Request): void {
  const wanted = { upgrade: "websocket", "sec-websocket-version": VERSION };
  if (method !== "GET" || !has(headers.get("upgrade"), "websocket")) {
    throw new HttpError(426, "Here is a WebSocket: send GET with Upgrade: websocket", wanted);
  }
  if (!has(headers.get("connection"), "upgrade")) {
    throw new HttpError(400, "A WebSocket's handshake must have Connection: Upgrade");
  }
  if (headers.get("sec-websocket-version") !== VERSION) {
    throw new HttpError(426, `Sec-WebSocket-Version must be ${VERSION}`, wanted);
  }
  if (!KEY.test(headers.get("sec-websocket-key") ?? "")) {
    throw new HttpError(400, "Sec-WebSocket-Key must be sixteen bytes in base64");
  }
}

/** Whether a header's list has a token. */
function has(list: string | null, token: string): boolean {
  return list?.toLowerCase().split(",").some((one) => one.trim() === token) ?? false;
}

/**
 * Waits for a random time, and then until Deno has seen whether the client has reset the connection: if
 * it has, it must not be upgraded.
 *
 * @throws AbortError if the client has gone.
 */
async function untilConnected(signal: AbortSignal, withinMs: number): Promise<void> {
  await setTimeout(withinMs * Math.random(), undefined, { signal });
  for (let turn = 0; turn < NOTICE_TURNS; turn++) await setImmediate();
  signal.throwIfAborted();
}

function isTooBig(data: string | ArrayBuffer): boolean {
  if (typeof data !== "string") return data.byteLength > MAX_MESSAGE_BYTES;
  // Each unit of its length is at most three bytes of UTF-8
  return 3 * data.length > MAX_MESSAGE_BYTES && Buffer.byteLength(data) > MAX_MESSAGE_BYTES;
}

function reportLost(): void {
  // deno-lint-ignore no-console -- the server's own log
  console.error(
    `${MAX_LOST_UPGRADES} clients reset their connection while it became a WebSocket, and Deno keeps ` +
      "those open: /echo takes no more. Start the server again",
  );
}
