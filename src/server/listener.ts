import { LISTEN_PAUSE_MS } from "./limits.ts";

/** Where to listen, and what becomes of errors that a handler throws. */
export type ListenOptions = Deno.ServeTcpOptions & {
  readonly onError: (error: unknown) => Response;
};

/**
 * Listens, and listens again where that ends by itself: `Deno.serve` gives up, with all its connections, once a
 * connection cannot be accepted, as when there are more of them than the process may have open files.
 */
export class Listener {
  readonly #options: ListenOptions;
  readonly #handler: Deno.ServeHandler;
  #server: Deno.HttpServer | null;
  #connections = new AbortController();
  #isClosed = false;

  /** @throws if it cannot listen there. */
  constructor(options: ListenOptions, handler: Deno.ServeHandler) {
    this.#options = { ...options, onListen: () => {} };
    this.#handler = handler;
    this.#server = this.#serve();
  }

  /** Takes no more connections, and waits for the requests under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#server?.shutdown();
  }

  /**
   * Closes all connections, whatever they do, and listens again.
   *
   * @param why for the log
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
        `Cannot take connections, and tries again: ${error.message.replace(/^Error: /, "")}`,
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
        await pause(); // The port or too many files are still open
      }
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LISTEN_PAUSE_MS));
}
