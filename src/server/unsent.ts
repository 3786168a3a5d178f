import { MAX_MESSAGE_BYTES, MAX_UNSENT_BYTES, MAX_UNSENT_MESSAGES } from "./limits.ts";

/** Messages between two looks at `bufferedAmount`, which takes 2 % of the time for an echo. */
const PAUSE_MESSAGES = 64;

/**
 * Counts a WebSocket's messages that have not been sent yet. Deno only tells how many bytes are
 * buffered, and a client that sends short or empty messages costs memory that this does not show.
 *
 * Messages are sent in their order. If less is buffered than the newer ones have bytes, all older ones
 * are sent; the newer ones then are the older ones. So a message is counted until one that is longer
 * than nothing and came after it is sent.
 */
export class Unsent {
  readonly #socket: Pick<WebSocket, "bufferedAmount">;
  #older = 0;
  #newer = 0;
  /** Of the newer ones; characters for bytes, since there are never more of them. */
  #newerLength = 0;

  constructor(socket: Pick<WebSocket, "bufferedAmount">) {
    this.#socket = socket;
  }

  /**
   * Counts a message that is going to be sent, and returns whether that is too many.
   *
   * @param length bytes or characters
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
