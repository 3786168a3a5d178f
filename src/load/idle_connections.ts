/** Connections to a server on which nothing is sent. */
import { connect, type Socket } from "node:net";
import { Failure, messageOf } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import { addressOf } from "../process/connect.ts";

/** Time limit of a connection, in ms. If a server's queue is full, a connection waits for minutes. */
const CONNECT_MS = 2000;

/**
 * Idle connections to a server. They end by a reset: after a regular end, each would occupy a port for a
 * minute, in the state TIME_WAIT. Deno's own connections have no reset.
 */
export class IdleConnections implements Disposable {
  readonly #hostname: string;
  readonly #port: number;
  readonly #open: Socket[] = [];

  constructor(origin: string) {
    const { hostname, port } = addressOf(origin);
    [this.#hostname, this.#port] = [hostname, port];
  }

  /** The number of connections that were opened. */
  get count(): number {
    return this.#open.length;
  }

  /**
   * Opens connections one after the other, until there are this many.
   *
   * @throws {Failure} if the server accepts no more, or the reason of `signal` if that is aborted.
   */
  async open(count: number, signal: AbortSignal): Promise<void> {
    while (this.#open.length < count) {
      signal.throwIfAborted();
      try {
        this.#open.push(await this.#connect(signal));
      } catch (error) {
        signal.throwIfAborted();
        throw new Failure(
          `It accepted ${this.count} of ${count} idle connections (${messageOf(error)})`,
        );
      }
    }
  }

  async #connect(signal: AbortSignal): Promise<Socket> {
    const socket = connect(this.#port, this.#hostname);
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    socket.once("connect", () => resolve(socket));
    // A later error is that of a server that ends
    socket.on("error", reject);
    try {
      return await inTime(promise, CONNECT_MS, new Error(`not in ${CONNECT_MS / 1000} s`), signal);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    for (const socket of this.#open.splice(0)) socket.resetAndDestroy();
  }
}
