import { messageOf } from "../../model/errors.ts";
import { inTime } from "../../model/in_time.ts";
import { pause } from "../../process/pause.ts";
import { DRAIN_MS, WATCH_MS } from "../surplus.ts";
import type { ParsedResponse } from "./response_reader.ts";
import { type Client, opener, type Talk } from "./load_client.ts";

/** How often it is looked whether a request has waited too long, in milliseconds. */
const TIMEOUT_STEP_MS = 50;
/** After a connection that could not be opened, in milliseconds. */
const RETRY_MS = 10;

/** What is sent, and over how many connections. */
export interface ClosedLoopOptions extends Talk {
  readonly connections: number;
  readonly timeoutS: number;
}

/** Hears what becomes of requests. */
export interface ClosedLoopListener {
  /** A response is whole, `ms` after its request was sent. */
  answered(response: ParsedResponse, ms: number): void;
  /** A request has no response. */
  failed(why: "timeout" | "transport", message: string): void;
  /** A connection was opened that takes the place of another one. */
  reconnected(wasAnnounced: boolean): void;
}

/**
 * Connections that each send a request, wait for its response, and send the next one: a closed loop. Where
 * several are sent at once, all of their responses are waited for. It can be halted: then what is under way is waited for, and nothing is sent until it goes on.
 */
export class ClosedLoop implements Disposable {
  readonly #options: ClosedLoopOptions;
  readonly #listener: ClosedLoopListener;
  readonly #open: () => Promise<Client>;
  readonly #lines: ClosedLine[];
  readonly #timer: ReturnType<typeof setInterval>;
  #isOn = false;
  #isClosed = false;
  #underWay = 0;
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

  /** Each connection that has nothing under way sends. */
  start(): void {
    this.#isOn = true;
    this.#drained = null;
    this.#go.resolve();
  }

  /** Nothing more is sent. Settles when nothing is under way. */
  halt(): Promise<void> {
    if (this.#drained !== null) return this.#drained.promise;
    this.#isOn = false;
    this.#go = Promise.withResolvers();
    this.#drained = Promise.withResolvers();
    if (this.#underWay === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  /**
   * Stops sending, waits briefly for pending responses, and checks each idle connection.
   *
   * @returns the number of connections that received surplus bytes.
   */
  async surplus(): Promise<number> {
    await inTime(this.halt(), DRAIN_MS, new Error("Still under way")).catch(() => {});
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
      this.#underWay++;
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
        if (--this.#underWay === 0 && !this.#isOn) this.#drained?.resolve();
      }
    }
    line.connection?.close(); // it may have been opened meanwhile
  }

  /** The next request of this line opens a connection. */
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
      line.connection?.close(); // its read ends, and one that is being opened is noticed afterwards
    }
  }

  /** Closes every connection; what is under way has no response, and nobody hears of it. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#go.resolve();
    for (const { connection } of this.#lines) connection?.close();
  }
}

/** One connection, and when its request was sent; null if none is under way. */
class ClosedLine {
  connection: Client | null = null;
  sentMs: number | null = null;
}

/** Whether the request under way has been given up. */
function isOverdue({ sentMs }: ClosedLine): boolean {
  return sentMs === null;
}
