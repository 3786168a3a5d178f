/** How long it waits before it listens again. */
const PAUSE_MS = 200;

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

  #serve(): Deno.HttpServer {
    const server = Deno.serve(this.#options, this.#handler);
    server.finished.catch((error) => this.#again(error));
    return server;
  }

  async #again(error: Error): Promise<void> {
    this.#server = null;
    // deno-lint-ignore no-console -- the server's own log
    console.error(
      `Cannot take connections, and tries again: ${error.message.replace(/^Error: /, "")}`,
    );
    while (this.#server === null) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (this.#isClosed) return;
      try {
        this.#server = this.#serve();
      } catch {
        // There are still too many files open.
      }
    }
  }
}
