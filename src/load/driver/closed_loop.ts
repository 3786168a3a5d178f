import type { Load } from "../../model/experiment.ts";
import { messageOf } from "../../model/errors.ts";
import { inTime } from "../../model/in_time.ts";
import { pause } from "../../process/pause.ts";
import { DRAIN_MS, type Talk, WATCH_MS } from "../generator.ts";
import { type Client, Line, opener } from "./load_client.ts";
import type { ParsedResponse } from "./response_reader.ts";

/** Pause after a failed attempt to connect, in milliseconds. */
const RETRY_MS = 10;
/**
 * Idle time after which a server may close a connection, in milliseconds. The shortest timeout in the suite
 * is gunicorn's, 2 s. https://www.rfc-editor.org/rfc/rfc9112#section-9.5
 */
const IDLE_MS = 1000;
/** Time in which a server accepts new connections, in milliseconds. */
const ACCEPT_MS = 5;

/** The requests, and the number of connections. */
export type ClosedLoopOptions = Talk & Pick<Load, "connections" | "timeoutS">;

/** Receives the outcome of each request. */
interface ClosedLoopListener {
  /**
   * Receives a complete response, `ms` milliseconds after its request was sent. `busyMs` is the part
   * of this time after the previous response of its batch: all of it without pipelining.
   */
  answered(response: ParsedResponse, ms: number, busyMs: number): void;
  /** Reports a request without a response. */
  failed(why: "timeout" | "transport", message: string): void;
  /** Reports that a new connection replaced an old one. The server may have announced the close. */
  reconnected(wasAnnounced: boolean): void;
}

/**
 * A closed loop: each connection sends a request, or several with pipelining, waits for all
 * responses, and sends the next. A halted loop waits for pending responses, and sends nothing until
 * it is started.
 */
export class ClosedLoop implements Disposable {
  readonly #options: ClosedLoopOptions;
  readonly #listener: ClosedLoopListener;
  readonly #open: () => Promise<Client>;
  readonly #lines: readonly Line[];
  readonly #timer: ReturnType<typeof setInterval>;
  #isOn = false;
  #isClosed = false;
  #inFlight = 0;
  #go: PromiseWithResolvers<void> = Promise.withResolvers();
  #drained: PromiseWithResolvers<void> | null = null;

  constructor(options: ClosedLoopOptions, listener: ClosedLoopListener) {
    this.#options = options;
    this.#listener = listener;
    this.#open = opener(options);
    this.#lines = Array.from({ length: options.connections }, () => new Line());
    for (const line of this.#lines) this.#run(line);
    this.#timer = Line.endOverdue(this.#lines, options.timeoutS);
  }

  /** Replaces connections that the server closed after an idle time. */
  async reopen(): Promise<void> {
    const closed = this.#lines.filter(({ isClosed }) => isClosed);
    if (closed.length === 0) return;
    await Promise.all(closed.map(async (line) => {
      line.drop();
      // A request that needs the connection tries again, and reports the error
      line.connection = await this.#open().catch(() => null);
    }));
    await pause(ACCEPT_MS);
  }

  /** Starts sending on each idle connection. */
  start(): void {
    this.#isOn = true;
    this.#drained = null;
    this.#go.resolve();
  }

  /** Stops sending. Resolves when no request is in flight. */
  halt(): Promise<void> {
    if (this.#drained !== null) return this.#drained.promise;
    this.#isOn = false;
    this.#go = Promise.withResolvers();
    this.#drained = Promise.withResolvers();
    if (this.#inFlight === 0) this.#rest();
    return this.#drained.promise;
  }

  /** Begins a pause, and notices connections that end in it. */
  #rest(): void {
    const sinceMs = performance.now();
    for (const line of this.#lines) {
      const { connection } = line;
      connection?.watch((event) => {
        if (event === "end" && line.connection === connection) {
          line.isClosed = performance.now() - sinceMs >= IDLE_MS;
        }
      });
    }
    this.#drained?.resolve();
  }

  /** Stops sending, and returns how many idle connections received surplus bytes. */
  async surplus(): Promise<number> {
    await inTime(this.halt(), DRAIN_MS, new Error("A request is still in flight")).catch(() => {});
    let count = 0;
    for (const { connection, sinceMs } of this.#lines) {
      if (sinceMs === null) connection?.watch((event) => void (event === "bytes" && count++));
    }
    await pause(WATCH_MS);
    return count;
  }

  async #run(line: Line): Promise<void> {
    const { pipelined } = this.#options;
    while (!this.#isClosed) {
      if (!this.#isOn) {
        await this.#go.promise;
        continue;
      }
      this.#inFlight++;
      const sentMs = line.sinceMs = performance.now();
      try {
        const connection = line.connection ??= await this.#open();
        let response = await connection.ask();
        let beforeMs = 0;
        for (let left = pipelined - 1; left > 0; left--) {
          const ms = performance.now() - sentMs;
          this.#listener.answered(response, ms, ms - beforeMs);
          beforeMs = ms;
          if (!response.keepsAlive) throw new Error(`The server left ${left} requests unanswered`);
          response = await connection.next();
        }
        if (line.sinceMs === null) throw new Error("The response came too late");
        line.sinceMs = null;
        if (!response.keepsAlive) this.#reconnect(line, true);
        const ms = performance.now() - sentMs;
        this.#listener.answered(response, ms, ms - beforeMs);
      } catch (error) {
        if (this.#isClosed) break;
        const why = line.sinceMs === null ? "timeout" : "transport";
        line.sinceMs = null;
        const isUnopened = line.connection === null;
        this.#reconnect(line, false);
        this.#listener.failed(why, messageOf(error));
        if (isUnopened) await pause(RETRY_MS);
      } finally {
        if (--this.#inFlight === 0 && !this.#isOn) this.#rest();
      }
    }
    line.connection?.close(); // it may have been opened in the meantime
  }

  #reconnect(line: Line, wasAnnounced: boolean): void {
    line.drop();
    this.#listener.reconnected(wasAnnounced);
  }

  /** Closes every connection. Pending requests are not reported. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#go.resolve();
    for (const { connection } of this.#lines) connection?.close();
  }
}
