import { LISTEN_PAUSE_MS } from "./limits.ts";

/** Options of `Deno.serve`. `onError` makes the response to an error that a route throws. */
type ListenOptions = Deno.ServeTcpOptions & {
  readonly onError: (error: unknown) => Response;
};

/**
 * Listens on a port, and listens again after an error. `Deno.serve` closes all connections and ends if
 * it cannot accept one, for example because the process has too many open files.
 */
export class Listener {
  readonly #options: ListenOptions;
  readonly #handler: Deno.ServeHandler;
  #server: Deno.HttpServer | null;
  #connections = new AbortController();
  #isClosed = false;

  /**
   * Begins to listen.
   *
   * @throws {Error} if the address cannot be used.
   */
  constructor(options: ListenOptions, handler: Deno.ServeHandler) {
    this.#options = { ...options, onListen: () => {} };
    this.#handler = handler;
    this.#server = this.#serve();
  }

  /** Stops accepting connections, and waits for current requests. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#server?.shutdown();
  }

  /**
   * Closes all connections at once and listens again.
   *
   * @param why the reason, for the log
   */
  async reset(why: string): Promise<void> {
    const server = this.#server;
    if (server === null || this.#isClosed) return;
    this.#server = null;
    // deno-lint-ignore no-console -- the server's own log
    console.error(why);
    this.#connections.abort();
    await Promise.race([server.finished, pause()]);
    await this.#again();
  }

  #serve(): Deno.HttpServer {
    this.#connections = new AbortController();
    const { signal } = this.#connections;
    const server = Deno.serve({ ...this.#options, signal }, this.#handler);
    server.finished.catch(async (error) => {
      if (this.#server !== server) return;
      this.#server = null;
      // deno-lint-ignore no-console -- the server's own log
      console.error(
        `Cannot accept connections, trying again: ${error.message.replace(/^Error: /, "")}`,
      );
      await pause();
      await this.#again();
    });
    return server;
  }

  async #again(): Promise<void> {
    while (!this.#isClosed) {
      try {
        this.#server = this.#serve();
        return;
      } catch {
        await pause(); // the port or too many files are still in use
      }
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LISTEN_PAUSE_MS));
}
