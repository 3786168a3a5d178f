import { Mismatch } from "../../src/model/errors.ts";
import type { Scenario } from "../../src/model/scenario.ts";
import { get } from "../expect.ts";
import { USUAL } from "../usual.ts";

const request = get("/echo");
/**
 * Number of messages. If a server loses one message in 200, the check finds that with a probability
 * above 0.999.
 */
const MESSAGES = 2000;
/** Size of the largest message in bytes, by the contract. */
const LONGEST = 65_536;
/** Maximum wait for the handshake, and for each message, in ms. */
const TIMEOUT_MS = 5000;
/**
 * Maximum wait for all messages, in ms. Without it, a server that sends a message every 4 s would
 * never exceed `TIMEOUT_MS`.
 */
const LONGEST_MS = 8000;
/** Maximum wait for the server to confirm the close, in ms. */
const CLOSING_MS = 1000;

type Message = string | Uint8Array<ArrayBuffer>;

/** Messages that the server echoes. */
export const websocket: Scenario = {
  ...USUAL,
  id: "websocket",
  title: "WebSocket messages that the server echoes",
  request,
  protocol: "websocket",
  checks: [
    {
      name: `echoes ${MESSAGES} messages in their order`,
      async run(_ask, _facts, origin, client): Promise<void> {
        const sent = Array.from({ length: MESSAGES }, (_, i) => `message ${i}`);
        await expectEchoes(origin, sent, client);
      },
    },
    {
      name: "echoes bytes, long messages and an empty one",
      async run(_ask, _facts, origin, client): Promise<void> {
        const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
        const sent = [bytes, "é".repeat(LONGEST / 2), new Uint8Array(LONGEST), ""];
        await expectEchoes(origin, sent, client);
      },
    },
  ],
  expect: () => {},
  underLoad: "any",
  isDefault: false,
};

async function expectEchoes(
  origin: string,
  sent: readonly Message[],
  client?: Deno.HttpClient,
): Promise<void> {
  const got = await echoed(origin + request.path, sent, client);
  sent.forEach((message, i) => {
    if (isSame(message, got[i])) return;
    throw new Mismatch(`message ${i + 1} of ${sent.length}: ${said(message)}`, said(got[i]));
  });
}

function isSame(a: string | Uint8Array, b: string | Uint8Array | undefined): boolean {
  if (typeof a === "string" || b === undefined || typeof b === "string") return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function said(message: string | Uint8Array | undefined): string {
  if (message === undefined) return "nothing";
  if (typeof message !== "string") return `${message.length} bytes`;
  return message.length > 40 ? `${message.length} characters` : JSON.stringify(message);
}

/**
 * Sends messages over one WebSocket, all at once, and returns the echoes. Stops when every echo has arrived,
 * after {@linkcode TIMEOUT_MS} without a message, or after {@linkcode LONGEST_MS}.
 */
async function echoed(
  url: string,
  sent: readonly Message[],
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
