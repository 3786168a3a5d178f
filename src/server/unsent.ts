import { MAX_MESSAGE_BYTES, MAX_UNSENT_BYTES, MAX_UNSENT_MESSAGES } from "./limits.ts";

/**
 * Number of messages between two reads of `bufferedAmount`. A read for every message would take 2 % of
 * an echo's time.
 */
const PAUSE_MESSAGES = 64;

/**
 * Counts the messages that a WebSocket has not sent yet. Deno only reports buffered bytes, but short
 * or empty messages use memory that this number does not show.
 *
 * Messages are sent in order, and counted in two groups, older and newer. If fewer bytes are buffered
 * than the newer group has, all older messages have been sent. The newer group then becomes the older
 * one, and the next message begins a new group. A message therefore counts until a later, non-empty
 * message is sent.
 */
export class Unsent {
  readonly #socket: Pick<WebSocket, "bufferedAmount">;
  #older = 0;
  #newer = 0;
  /**
   * Lower bound for the bytes of the newer messages. Of a text, the characters are counted, because
   * UTF-8 never has fewer bytes.
   */
  #newerLength = 0;

  constructor(socket: Pick<WebSocket, "bufferedAmount">) {
    this.#socket = socket;
  }

  /**
   * Counts a message before it is sent.
   *
   * @param length bytes or characters
   * @returns whether too many messages or bytes are unsent.
   */
  add(length: number): boolean {
    const newerLength = this.#newerLength;
    this.#newer++;
    this.#newerLength += length;
    if (this.#newer < PAUSE_MESSAGES && this.#newerLength < MAX_MESSAGE_BYTES) return false;
    const buffered = this.#socket.bufferedAmount;
    if (buffered < newerLength) {
      this.#older = this.#newer - 1;
      this.#newer = 1;
      this.#newerLength = length;
    }
    return buffered + length > MAX_UNSENT_BYTES ||
      this.#older + this.#newer > MAX_UNSENT_MESSAGES;
  }
}
