import { MAX_MESSAGE_BYTES, MAX_UNSENT_BYTES, MAX_UNSENT_MESSAGES } from "./limits.ts";

/**
 * Messages between two reads of `bufferedAmount`, in which an echo would otherwise spend 2 % of its
 * time.
 */
const PAUSE_MESSAGES = 64;

/**
 * Counts a WebSocket's messages that are not sent yet. Deno only reports buffered bytes, but short or
 * empty messages use memory that this number does not show.
 *
 * Messages are sent in order. They are counted in two groups, older and newer. If fewer bytes are
 * buffered than the newer group has, all older messages are sent, and the newer group becomes the older
 * one. A message therefore counts until a later, non-empty message is sent.
 */
export class Unsent {
  readonly #socket: Pick<WebSocket, "bufferedAmount">;
  #older = 0;
  #newer = 0;
  /**
   * Length of the newer messages. Characters count as bytes, because there are never more characters
   * than bytes.
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
