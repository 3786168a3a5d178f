import { messageOf } from "../../model/errors.ts";
import { inTime } from "../../model/in_time.ts";
import { pause } from "../../process/pause.ts";
import { DRAIN_MS, WATCH_MS } from "../timeouts.ts";
import type { ParsedResponse } from "./response_reader.ts";
import type { Client } from "./connection.ts";
import { opener, type Talk } from "./load_client.ts";

/** Interval between two checks for overdue requests, in milliseconds. */
const TIMEOUT_STEP_MS = 50;
/** Pause after a failed attempt to connect, in milliseconds. */
const RETRY_MS = 10;

/** The requests, and the number of connections. */
export interface ClosedLoopOptions extends Talk {
  readonly connections: number;
  readonly timeoutS: number;
}

/** Receives the outcome of each request. */
export interface ClosedLoopListener {
  /**
   * Receives a complete response.
   *
   * @param ms the time since its request was sent, in milliseconds
   */
  answered(response: ParsedResponse, ms: number): void;
  /** Reports a request without a response. */
  failed(why: "timeout" | "transport", message: string): void;
  /**
   * Reports that a new connection replaced an old one.
   *
   * @param wasAnnounced whether the server had announced the close
   */
  reconnected(wasAnnounced: boolean): void;
}

/**
 * A closed loop: each connection sends a request, waits for its response, and sends the next one.
 *
 * With pipelining it sends several requests at once and waits for all responses. A halted loop waits
 * for pending responses, and sends nothing until it is started again.
 */
export class ClosedLoop implements Disposable {
  readonly #options: ClosedLoopOptions;
  readonly #listener: ClosedLoopListener;
  readonly #open: () => Promise<Client>;
  readonly #lines: ClosedLine[];
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
    this.#lines = Array.from({ length: options.connections }, () => new ClosedLine());
    for (const line of this.#lines) this.#run(line);
    this.#timer = setInterval(() => this.#endOverdue(), TIMEOUT_STEP_MS);
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
    if (this.#inFlight === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  /**
   * Stops sending, waits briefly for pending responses, and checks each idle connection.
   *
   * @returns the number of connections that received surplus bytes.
   */
  async surplus(): Promise<number> {
    await inTime(this.halt(), DRAIN_MS, new Error("A request is still in flight")).catch(() => {});
    let count = 0;
    for (const { connection, sentMs } of this.#lines) {
      if (sentMs === null) connection?.watch((event) => void (event === "bytes" && count++));
    }
    await pause(WATCH_MS);
    return count;
  }

  async #run(line: ClosedLine): Promise<void> {
    const { pipelined } = this.#options;
    while (!this.#isClosed) {
      if (!this.#isOn) {
        await this.#go.promise;
        continue;
      }
      this.#inFlight++;
      const sentMs = line.sentMs = performance.now();
      try {
        const connection = line.connection ??= await this.#open();
        let response = await connection.ask();
        for (let left = pipelined - 1; left > 0; left--) {
          this.#listener.answered(response, performance.now() - sentMs);
          if (!response.keepsAlive) throw new Error(`The server left ${left} requests unanswered`);
          response = await connection.next();
        }
        if (isOverdue(line)) throw new Error("The response came too late");
        line.sentMs = null;
        if (!response.keepsAlive) this.#reconnect(line, true);
        this.#listener.answered(response, performance.now() - sentMs);
      } catch (error) {
        if (this.#isClosed) break;
        const why = isOverdue(line) ? "timeout" : "transport";
        line.sentMs = null;
        const isUnopened = line.connection === null;
        this.#reconnect(line, false);
        this.#listener.failed(why, messageOf(error));
        if (isUnopened) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      } finally {
        if (--this.#inFlight === 0 && !this.#isOn) this.#drained?.resolve();
      }
    }
    line.connection?.close(); // it may have been opened in the meantime
  }

  /** Closes the connection and reports that. The next request opens a new one. */
  #reconnect(line: ClosedLine, wasAnnounced: boolean): void {
    line.connection?.close();
    line.connection = null;
    this.#listener.reconnected(wasAnnounced);
  }

  #endOverdue(): void {
    const latestMs = performance.now() - 1000 * this.#options.timeoutS;
    for (const line of this.#lines) {
      if (line.sentMs === null || line.sentMs > latestMs) continue;
      line.sentMs = null;
      line.connection?.close(); // its pending read fails; a connection that is being opened is checked later
    }
  }

  /** Closes every connection. Pending requests are not reported. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#go.resolve();
    for (const { connection } of this.#lines) connection?.close();
  }
}

/** One connection of the loop, while it is open, and its request. */
class ClosedLine {
  connection: Client | null = null;
  /** Send time of the request in flight, in milliseconds; null if there is none, or if it has timed out. */
  sentMs: number | null = null;
}

/**
 * Returns whether the request has timed out: the check for overdue requests has then set its send time to
 * null.
 */
function isOverdue({ sentMs }: ClosedLine): boolean {
  return sentMs === null;
}
