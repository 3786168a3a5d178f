import type { Answer, AnswerReader } from "./answer.ts";
import type { Address } from "./request.ts";

/** A connection to a server: a client sends a request over it, reads the answer, and sends the next one. */
export class Connection {
  readonly #socket: Deno.Conn;
  readonly #answers: AnswerReader;
  /** What is read ahead, while no answer is due. */
  #ahead: Promise<number | null> | null = null;

  private constructor(socket: Deno.Conn, answers: AnswerReader) {
    this.#socket = socket;
    this.#answers = answers;
  }

  /**
   * Opens one.
   *
   * @param answers reads what comes; it has nothing of another answer
   */
  static async open(
    { hostname, port, isTls }: Address,
    answers: AnswerReader,
  ): Promise<Connection> {
    if (isTls) return new Connection(await Deno.connectTls({ hostname, port }), answers);
    const socket = await Deno.connect({ hostname, port });
    socket.setNoDelay(true);
    return new Connection(socket, answers);
  }

  /**
   * Sends a request, and reads its answer.
   *
   * @throws if the connection ends before that, or what comes is no answer.
   */
  async ask(bytes: Uint8Array<ArrayBuffer>): Promise<Answer> {
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

  /** Tells if something comes before the next request is sent: mostly that the server has closed it. */
  watch(onEvent: () => void): void {
    this.#ahead ??= this.#socket.read(this.#answers.room);
    this.#ahead.then(onEvent, onEvent);
  }

  /** Closes it; what is read ends. */
  close(): void {
    try {
      this.#socket.close();
    } catch {
      // It was closed already
    }
  }
}
