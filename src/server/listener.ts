import { LIMITS } from "./limits.ts";

/**
 * Listens on a port, and listens again after an error. `Deno.serve` closes all connections and ends
 * if it cannot accept one, for example because the process has too many open files.
 */
export class Listener {
  readonly #options: Deno.ServeTcpOptions;
  readonly #handler: Deno.ServeHandler;
  #server: Deno.HttpServer | null;
  #connections = new AbortController();
  #isClosed = false;

  /** Begins to listen. Throws an error if the address cannot be used. */
  constructor(options: Deno.ServeTcpOptions, handler: Deno.ServeHandler) {
    this.#options = { ...options, onListen: () => {} };
    this.#handler = handler;
    this.#server = this.#serve();
  }

  /** Stops accepting connections, and waits for current requests. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#server?.shutdown();
  }

  /** Closes all connections at once, logs `why`, and listens again. */
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
      const why = error.message.replace(/^Error: /, "");
      // deno-lint-ignore no-console -- the server's own log
      console.error(`Cannot accept connections, trying again: ${why}`);
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
  return new Promise((resolve) => setTimeout(resolve, LIMITS.LISTEN_PAUSE_MS));
}
