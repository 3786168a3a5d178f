import { Buffer } from "node:buffer";
import { setImmediate, setTimeout as pause } from "node:timers/promises";
import { HttpError, type RouteHandler, unavailable } from "../http.ts";
import { LIMITS } from "../limits.ts";

/** Messages between two reads of `bufferedAmount`: each read takes 2 % of an echo's time. */
const PAUSE_MESSAGES = 64;

/**
 * Returns a function that counts a message of `length` bytes or characters, and returns whether a
 * WebSocket has too much unsent. Deno only reports buffered bytes, which do not show the memory of
 * short or empty messages.
 *
 * Messages are sent in order, and counted in two groups, older and newer. If fewer bytes are
 * buffered than the newer group has, all older messages have been sent. Then the newer group
 * becomes the older one, and the next message begins a new group. A message thus counts until a
 * later one is sent.
 */
export function unsentLimit(
  socket: Pick<WebSocket, "bufferedAmount">,
): (length: number) => boolean {
  let older = 0;
  let newer = 0;
  /** Lower bound for the bytes of the newer messages: of a text, the number of characters. */
  let newerLength = 0;
  return (length) => {
    const lengthBefore = newerLength;
    newer++;
    newerLength += length;
    if (newer < PAUSE_MESSAGES && newerLength < LIMITS.MAX_MESSAGE_BYTES) return false;
    const buffered = socket.bufferedAmount;
    if (buffered < lengthBefore) {
      older = newer - 1;
      newer = 1;
      newerLength = length;
    }
    return buffered + length > LIMITS.MAX_UNSENT_BYTES ||
      older + newer > LIMITS.MAX_UNSENT_MESSAGES;
  };
}

/** The version of the WebSocket protocol. https://www.rfc-editor.org/rfc/rfc6455#section-4.1 */
const VERSION = "13";
/** Matches sixteen bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;
/** Status codes of a close. https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
/** Turns of the event loop in which Deno notices that a reset of the connection has arrived. */
const NOTICE_TURNS = 8;

/** Returns the handler of `GET /echo`: a WebSocket that sends every message back. */
export function echo(upgrade: typeof Deno.upgradeWebSocket = Deno.upgradeWebSocket): RouteHandler {
  let open = 0;
  let lost = 0;
  return async (request) => {
    assertHandshake(request);
    if (lost >= LIMITS.MAX_LOST_UPGRADES || open >= LIMITS.MAX_SOCKETS) {
      throw unavailable("There are too many WebSockets");
    }
    const { signal } = request;
    open++;
    try {
      await untilConnected(signal, LIMITS.UPGRADE_DELAY_MS * (1 + lost));
    } catch (error) {
      open--;
      throw error;
    }
    const { socket, response } = upgrade(request, { idleTimeout: LIMITS.SOCKET_IDLE_S });
    let isOver = false;
    const end = (isLost: boolean): void => {
      if (isOver) return;
      isOver = true;
      open--;
      if (!isLost || ++lost !== LIMITS.MAX_LOST_UPGRADES) return;
      // deno-lint-ignore no-console -- the server's own log
      console.error(
        `${lost} clients reset their connection during the upgrade to a WebSocket, and Deno ` +
          "keeps those open: /echo accepts no more. Restart the server",
      );
    };
    const isConnecting = (): boolean => socket.readyState === WebSocket.CONNECTING;
    // Deno could not send the response. It keeps the connection, and the socket gets no event
    signal.addEventListener("abort", () => isConnecting() && end(true));
    socket.onerror = () => isConnecting() && end(false);
    socket.onclose = () => end(false);
    const isTooMuch = unsentLimit(socket);
    socket.onmessage = ({ data }) => {
      if (isTooBig(data)) {
        socket.close(TOO_BIG, `A message has at most ${LIMITS.MAX_MESSAGE_BYTES} bytes`);
        collectSoon();
      } else if (isTooMuch(data.length ?? data.byteLength)) {
        socket.close(POLICY_VIOLATION, "Messages are not read as fast as they are sent");
      } else {
        socket.send(data);
      }
    };
    return response;
  };
}

/** Checks the client's handshake: https://www.rfc-editor.org/rfc/rfc6455#section-4.2.1 */
function assertHandshake({ method, headers }: Request): void {
  const wanted = { upgrade: "websocket", "sec-websocket-version": VERSION };
  if (method !== "GET" || !has(headers.get("upgrade"), "websocket")) {
    throw new HttpError(426, "This path is a WebSocket: send GET with Upgrade: websocket", wanted);
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

function has(list: string | null, token: string): boolean {
  return list?.toLowerCase().split(",").some((one) => one.trim() === token) ?? false;
}

/**
 * Waits for a random time of up to `withinMs`, and then until Deno would have noticed a reset of
 * the connection. It throws if the client has disconnected: that connection must not be upgraded.
 */
async function untilConnected(signal: AbortSignal, withinMs: number): Promise<void> {
  await pause(withinMs * Math.random(), undefined, { signal });
  for (let turn = 0; turn < NOTICE_TURNS; turn++) await setImmediate();
  signal.throwIfAborted();
}

function isTooBig(data: string | ArrayBuffer): boolean {
  if (typeof data !== "string") return data.byteLength > LIMITS.MAX_MESSAGE_BYTES;
  // Each UTF-16 unit takes at most three bytes in UTF-8
  return 3 * data.length > LIMITS.MAX_MESSAGE_BYTES &&
    Buffer.byteLength(data) > LIMITS.MAX_MESSAGE_BYTES;
}

let collecting: ReturnType<typeof setTimeout> | null = null;

/** Collects garbage soon. Otherwise V8 keeps a large message until its heap is used again. */
function collectSoon(): void {
  collecting ??= setTimeout(async () => {
    // Loaded here, because these modules would make every start slower
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    collecting = null;
  }, LIMITS.COLLECT_PAUSE_MS);
}
