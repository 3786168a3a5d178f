import { createHash } from "node:crypto";
import { type HttpRequest, latin1 } from "../../model/scenario.ts";
import type { ParsedResponse } from "./response_reader.ts";
import { type Client, closeQuietly } from "./connection.ts";
import { type Address, connect } from "../../process/connect.ts";
import { encodeRequest, endOfHead, Garbage, parseHead } from "./head.ts";

/** The text of a message before its number. */
const TEXT = "Stampede, message ";
/** Number of digits of the number. Zeros fill it up, so that all messages have the same length. */
const DIGITS = 10;
const LENGTH = TEXT.length + DIGITS;
/** First byte of a text frame. https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
const TEXT_FRAME = 0x81;
/** First byte of a close frame. */
const CLOSE_FRAME = 0x88;
const IS_MASKED = 0x80;
const MASK_BYTES = 4;
/** Number of bytes before the text of a sent frame, including the mask. */
const SENT_HEAD = 2 + MASK_BYTES;
/** Number of bytes before the text of an echo, which has no mask. */
const ECHO_HEAD = 2;
const SWITCHED = 101;
/** Status under which echoes are counted, because a WebSocket message has no status. */
const OK = 200;
/** Value that the server appends to the key. https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const KEY = btoa("stampede-message");
const ZERO = 48;
const NINE = 57;

/**
 * A WebSocket that sends messages and reads their echoes, one at a time. Each message has a different
 * number, so a lost or repeated echo is detected.
 */
export class SocketClient implements Client {
  readonly #socket: Deno.Conn;
  /**
   * The frame to send. A client must mask its frames; a mask of zeros leaves the text unchanged.
   */
  readonly #sent: Uint8Array<ArrayBuffer> = new Uint8Array(SENT_HEAD + LENGTH);
  readonly #room: Uint8Array<ArrayBuffer> = new Uint8Array(4096);
  #ahead: Promise<number | null> | null = null;

  private constructor(socket: Deno.Conn) {
    this.#socket = socket;
    this.#sent.set([TEXT_FRAME, IS_MASKED | LENGTH]);
    this.#sent.set(new TextEncoder().encode(TEXT + "0".repeat(DIGITS)), SENT_HEAD);
  }

  /**
   * Opens a WebSocket: https://www.rfc-editor.org/rfc/rfc6455#section-4.1
   *
   * @throws {Garbage} if the server does not switch protocols.
   */
  static async open(address: Address, origin: string, request: HttpRequest): Promise<SocketClient> {
    const socket = await connect(address);
    try {
      const headers = {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": KEY,
        ...request.headers,
      };
      await socket.write(encodeRequest(origin, { ...request, headers }));
      const client = new SocketClient(socket);
      await client.#readUpgrade();
      return client;
    } catch (error) {
      closeQuietly(socket);
      throw error;
    }
  }

  async #readUpgrade(): Promise<void> {
    let length = 0;
    for (;;) {
      const count = await this.#socket.read(this.#room.subarray(length));
      if (!count) throw new Garbage("The server did not switch to WebSocket");
      length += count;
      const end = endOfHead(this.#room, length, 0);
      if (end < 0) continue;
      const { status } = parseHead(this.#room, end, false);
      if (status !== SWITCHED) {
        throw new Garbage(`The server answered with status ${status} instead of ${SWITCHED}`);
      }
      const accept = createHash("sha1").update(KEY + GUID).digest("base64");
      if (!latin1(this.#room.subarray(0, end)).includes(accept)) {
        throw new Garbage("The header sec-websocket-accept does not match the key");
      }
      if (length > end) throw new Garbage("The server sent bytes before the first message");
      return;
    }
  }

  /**
   * Sends the next message and reads its echo.
   *
   * @throws {Error} if the connection ends before the echo, or if the bytes are not the expected
   *   frame.
   */
  async ask(): Promise<ParsedResponse> {
    this.#count();
    const sent = await this.#socket.write(this.#sent);
    if (sent < this.#sent.length) await this.#socket.write(this.#sent.subarray(sent));
    let length = 0;
    for (;;) {
      const count = await (this.#ahead ?? this.#socket.read(this.#room.subarray(length)));
      this.#ahead = null;
      if (count === null) throw new Error("The server closed the connection");
      length += count;
      if (length < ECHO_HEAD) continue;
      const [kind = 0, size = 0] = this.#room;
      if (kind === CLOSE_FRAME) throw new Error("The server closed the connection");
      if (kind !== TEXT_FRAME || size !== LENGTH) {
        throw new Garbage(`Unexpected frame of ${size} bytes that begins with byte ${kind}`);
      }
      if (length < ECHO_HEAD + LENGTH) continue;
      if (length > ECHO_HEAD + LENGTH) throw new Garbage("The server sent bytes after the echo");
      return this.#respond();
    }
  }

  #respond(): ParsedResponse {
    let isWrong = false;
    for (let i = 0; i < LENGTH; i++) {
      if (this.#room[ECHO_HEAD + i] !== this.#sent[SENT_HEAD + i]) isWrong = true;
    }
    return {
      status: OK,
      kind: 0,
      bytes: ECHO_HEAD + LENGTH,
      keepsAlive: true,
      isChecked: true,
      wrong: isWrong ? latin1(this.#room.subarray(ECHO_HEAD, ECHO_HEAD + LENGTH)) : null,
    };
  }

  /** Increments the number in the message. */
  #count(): void {
    for (let i = this.#sent.length - 1;; i--) {
      if (this.#sent[i] !== NINE) {
        this.#sent[i] = (this.#sent[i] ?? ZERO) + 1;
        return;
      }
      this.#sent[i] = ZERO;
    }
  }

  /**
   * Sends the next message and reads its echo, because only one message is in flight at a time.
   *
   * @throws {Error} as {@linkcode ask} does.
   */
  next(): Promise<ParsedResponse> {
    return this.ask();
  }

  watch(onEvent: (event: "bytes" | "end") => void): void {
    this.#ahead ??= this.#socket.read(this.#room);
    this.#ahead.then((count) => onEvent(count === null ? "end" : "bytes"), () => onEvent("end"));
  }

  close(): void {
    closeQuietly(this.#socket);
  }
}
