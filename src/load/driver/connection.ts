import { type Address, connect } from "../../process/connect.ts";
import type { ParsedResponse, ResponseReader } from "./response_reader.ts";

/**
 * Chooses items in proportion to their weights, and as evenly as possible. Random choice would only be
 * even in the long run.
 */
export class WeightedRoundRobin {
  readonly #weights: readonly number[];
  readonly #sum: number;
  readonly #credits: number[];

  /** @param weights greater than 0 */
  constructor(weights: readonly number[]) {
    this.#weights = weights;
    this.#sum = weights.reduce((sum, weight) => sum + weight, 0);
    this.#credits = weights.map(() => 0);
  }

  /**
   * Returns the index of the next item by [smooth weighted
   * round-robin](https://en.wikipedia.org/wiki/Weighted_round_robin), as in nginx.
   *
   * Every item gains its weight as credit. The item with the most credit is chosen and loses the
   * sum of the weights.
   */
  next(): number {
    let best = 0;
    for (let i = 0; i < this.#weights.length; i++) {
      this.#credits[i] = (this.#credits[i] ?? 0) + (this.#weights[i] ?? 0);
      if ((this.#credits[i] ?? 0) > (this.#credits[best] ?? 0)) best = i;
    }
    this.#credits[best] = (this.#credits[best] ?? 0) - this.#sum;
    return best;
  }
}

/** A connection that sends the same requests repeatedly. */
export interface Client {
  /** Sends one batch of requests and reads the first response. */
  ask(): Promise<ParsedResponse>;
  /** Reads the next response of the batch. */
  next(): Promise<ParsedResponse>;
  /** Calls back if bytes arrive or the connection ends before the next request is sent. */
  watch(onEvent: (event: "bytes" | "end") => void): void;
  /** Closes the connection. A pending read ends. */
  close(): void;
}

/** A kind of request, and the reader of its responses. */
interface RequestKind {
  /** The bytes of one batch. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Reads the responses. Its buffer must be empty when the connection opens. */
  readonly responses: ResponseReader;
}

/**
 * A connection that sends the same requests repeatedly. Responses arrive in the order of the requests.
 */
export class Connection implements Client {
  readonly #socket: Deno.Conn;
  readonly #kinds: readonly RequestKind[];
  readonly #roundRobin: WeightedRoundRobin;
  /** The kind of the current or the next request. */
  #kind: RequestKind;
  /** A read that was started while no response was due. */
  #ahead: Promise<number | null> | null = null;

  private constructor(
    socket: Deno.Conn,
    kinds: readonly RequestKind[],
    roundRobin: WeightedRoundRobin,
  ) {
    this.#socket = socket;
    this.#kinds = kinds;
    this.#roundRobin = roundRobin;
    this.#kind = kinds[roundRobin.next()] as RequestKind;
  }

  /**
   * Opens a connection.
   *
   * @param kinds at least one
   * @param roundRobin chooses the next kind
   */
  static async open(
    address: Address,
    kinds: readonly RequestKind[],
    roundRobin: WeightedRoundRobin,
  ): Promise<Connection> {
    return new Connection(await connect(address), kinds, roundRobin);
  }

  /**
   * Sends one batch of requests and reads the first response.
   *
   * @throws {Error} if the connection ends before the response does, or if the bytes are not a
   *   response.
   */
  async ask(): Promise<ParsedResponse> {
    const { bytes, responses } = this.#kind;
    let sent = await this.#socket.write(bytes);
    while (sent < bytes.length) sent += await this.#socket.write(bytes.subarray(sent));
    for (;;) {
      const count = await (this.#ahead ?? this.#socket.read(responses.room));
      this.#ahead = null;
      const response = count === null ? responses.ended() : responses.filled(count);
      if (response !== null) {
        if (this.#kinds.length > 1) {
          this.#kind = this.#kinds[this.#roundRobin.next()] as RequestKind;
        }
        return response;
      }
      if (count === null) throw new Error("The server closed the connection");
    }
  }

  /**
   * Reads the next response of the batch.
   *
   * @throws {Error} if the connection ends before the response does, or if the bytes are not a
   *   response.
   */
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

/** Closes a connection, even if it is already closed. */
export function closeQuietly(socket: Deno.Conn): void {
  try {
    socket.close();
  } catch {
    // It is already closed
  }
}
