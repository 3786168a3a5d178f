import type { Answer, AnswerReader } from "./answer.ts";
import type { Client } from "./client.ts";
import type { Address } from "./request.ts";

/** A connection over which the same requests are sent again and again, and answered in their order. */
export class Connection implements Client {
  readonly #socket: Deno.Conn;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #answers: Pick<AnswerReader, "room" | "filled" | "ended">;
  /** What is read ahead, while no answer is due. */
  #ahead: Promise<number | null> | null = null;

  private constructor(
    socket: Deno.Conn,
    bytes: Uint8Array<ArrayBuffer>,
    answers: AnswerReader,
  ) {
    this.#socket = socket;
    this.#bytes = bytes;
    this.#answers = answers;
  }

  /**
   * Opens one.
   *
   * @param bytes what is sent at once
   * @param answers reads what comes; it has nothing of another answer
   */
  static async open(
    address: Address,
    bytes: Uint8Array<ArrayBuffer>,
    answers: AnswerReader,
  ): Promise<Connection> {
    return new Connection(await connect(address), bytes, answers);
  }

  /** @throws if the connection ends before that, or what comes is no answer. */
  async ask(): Promise<Answer> {
    const bytes = this.#bytes;
    let sent = await this.#socket.write(bytes);
    while (sent < bytes.length) sent += await this.#socket.write(bytes.subarray(sent));
    for (;;) {
      const count = await (this.#ahead ?? this.#socket.read(this.#answers.room));
      this.#ahead = null;
      const answer = count === null ? this.#answers.ended() : this.#answers.filled(count);
      if (answer !== null) return answer;
      if (count === null) throw new Error("The server closed the connection");
    }
  }

  /** @throws as {@linkcode ask} does. */
  async next(): Promise<Answer> {
    let answer = this.#answers.filled(0);
    while (answer === null) {
      const count = await this.#socket.read(this.#answers.room);
      answer = count === null ? this.#answers.ended() : this.#answers.filled(count);
      if (answer === null && count === null) throw new Error("The server closed the connection");
    }
    return answer;
  }

  watch(onEvent: () => void): void {
    this.#ahead ??= this.#socket.read(this.#answers.room);
    this.#ahead.then(onEvent, onEvent);
  }

  close(): void {
    closeQuietly(this.#socket);
  }
}

/** Connects to an address. */
export async function connect({ hostname, port, isTls }: Address): Promise<Deno.Conn> {
  if (isTls) return await Deno.connectTls({ hostname, port });
  const socket = await Deno.connect({ hostname, port });
  socket.setNoDelay(true);
  return socket;
}

/** Closes a connection that may be closed already. */
export function closeQuietly(socket: Deno.Conn): void {
  try {
    socket.close();
  } catch {
    // It was closed already
  }
}
