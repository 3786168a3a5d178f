import { connectTls } from "../../process/tls_client.ts";
import type { ParsedResponse, ResponseReader } from "./response_reader.ts";
import type { Client } from "./load_client.ts";
import type { Address } from "./request.ts";
import type { WeightedRoundRobin } from "./weighted_round_robin.ts";

/** A kind of request, and what reads the responses to it. */
export interface RequestKind {
  /** What is sent at once. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** It has nothing of another response. */
  readonly responses: ResponseReader;
}

/** A connection over which the same requests are sent again and again, and answered in their order. */
export class Connection implements Client {
  readonly #socket: Deno.Conn;
  readonly #kinds: readonly RequestKind[];
  readonly #turn: WeightedRoundRobin;
  /** The kind that is asked, or will be next. */
  #kind: RequestKind;
  /** What is read ahead, while no response is due. */
  #ahead: Promise<number | null> | null = null;

  private constructor(socket: Deno.Conn, kinds: readonly RequestKind[], turn: WeightedRoundRobin) {
    this.#socket = socket;
    this.#kinds = kinds;
    this.#turn = turn;
    this.#kind = kinds[turn.next()] as RequestKind;
  }

  /**
   * Opens one.
   *
   * @param kinds one at least
   * @param turn which of them is next
   */
  static async open(
    address: Address,
    kinds: readonly RequestKind[],
    turn: WeightedRoundRobin,
  ): Promise<Connection> {
    return new Connection(await connect(address), kinds, turn);
  }

  /** @throws if the connection ends before that, or what comes is no response. */
  async ask(): Promise<ParsedResponse> {
    const { bytes, responses } = this.#kind;
    let sent = await this.#socket.write(bytes);
    while (sent < bytes.length) sent += await this.#socket.write(bytes.subarray(sent));
    for (;;) {
      const count = await (this.#ahead ?? this.#socket.read(responses.room));
      this.#ahead = null;
      const response = count === null ? responses.ended() : responses.filled(count);
      if (response !== null) {
        if (this.#kinds.length > 1) this.#kind = this.#kinds[this.#turn.next()] as RequestKind;
        return response;
      }
      if (count === null) throw new Error("The server closed the connection");
    }
  }

  /** @throws as {@linkcode ask} does. */
  async next(): Promise<ParsedResponse> {
    const { responses } = this.#kind;
    let response = responses.filled(0);
    while (response === null) {
      const count = await this.#socket.read(responses.room);
      response = count === null ? responses.ended() : responses.filled(count);
      if (response === null && count === null) throw new Error("The server closed the connection");
    }
    return response;
  }

  watch(onEvent: (event: "bytes" | "end") => void): void {
    this.#ahead ??= this.#socket.read(this.#kind.responses.room);
    this.#ahead.then((count) => onEvent(count === null ? "end" : "bytes"), () => onEvent("end"));
  }

  close(): void {
    closeQuietly(this.#socket);
  }
}

/** Connects to an address. */
export async function connect({ hostname, port, isTls }: Address): Promise<Deno.Conn> {
  if (isTls) return await connectTls({ hostname, port });
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
