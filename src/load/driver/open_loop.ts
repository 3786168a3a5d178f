import { now } from "../metronome.ts";
import type { ParsedResponse } from "./response_reader.ts";
import type { Client } from "./connection.ts";
import { opener, type Talk } from "./load_client.ts";

/** Interval between two checks for overdue requests, in milliseconds. */
const TIMEOUT_STEP_MS = 50;

/** The requests, and the largest number of connections. */
export interface OpenLoopOptions extends Omit<Talk, "pipelined"> {
  readonly connections: number;
  readonly timeoutS: number;
}

/** A request that is due. Times are in milliseconds, on the clock of `now`. */
export interface Arrival {
  /** Scheduled send time. */
  readonly dueMs: number;
  /** Time at which this client noticed that the request was due. */
  readonly noticedMs: number;
  /** Time at which the request was sent; null: not yet. */
  sentMs: number | null;
}

/** Receives the outcome of each request. */
export interface OpenLoopListener {
  /**
   * Receives a complete response.
   *
   * @param atMs the time of its last byte, in milliseconds on the clock of `now`
   */
  answered(arrival: Arrival, response: ParsedResponse, atMs: number): void;
  /**
   * Reports a request without a response.
   *
   * @param atMs the time of the failure, in milliseconds on the clock of `now`
   */
  failed(arrival: Arrival, why: "timeout" | "transport", atMs: number): void;
  /**
   * Reports that a new connection replaced an old one.
   *
   * @param wasAnnounced whether the server had announced the close
   */
  reconnected(wasAnnounced: boolean): void;
}

/**
 * An open loop: sends a request at each call, without waiting for earlier responses.
 *
 * A request takes an idle connection or opens a new one, up to the limit. If all connections are busy,
 * it waits in a queue.
 */
export class OpenLoop implements Disposable {
  readonly #options: OpenLoopOptions;
  readonly #listener: OpenLoopListener;
  readonly #open: () => Promise<Client>;
  readonly #lines: OpenLine[] = [];
  /** The connection that was used last is taken first, so that few connections are needed. */
  readonly #idle: OpenLine[] = [];
  readonly #waiting: Set<Arrival> = new Set();
  readonly #timer: ReturnType<typeof setInterval>;
  #isClosed = false;
  #surplus = 0;

  constructor(options: OpenLoopOptions, listener: OpenLoopListener) {
    this.#options = options;
    this.#listener = listener;
    // An open loop does not pipeline
    this.#open = opener({ ...options, pipelined: 1 });
    this.#timer = setInterval(() => this.#endOverdue(), TIMEOUT_STEP_MS);
  }

  /** Requests in flight. */
  get underWay(): Arrival[] {
    return this.#lines.flatMap(({ arrival }) => arrival ?? []);
  }

  /** Number of connections that received surplus bytes so far. */
  get surplus(): number {
    return this.#surplus;
  }

  /**
   * Sends a request now, or queues it.
   *
   * @param dueMs its scheduled send time
   */
  arrive(dueMs: number): void {
    const arrival: Arrival = { dueMs, noticedMs: now(), sentMs: null };
    const line = this.#idle.pop() ?? this.#add();
    if (line === null) this.#waiting.add(arrival);
    else this.#serve(line, arrival);
  }

  /**
   * Empties the queue.
   *
   * @returns the requests that were never sent.
   */
  shed(): Arrival[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }

  #add(): OpenLine | null {
    if (this.#lines.length === this.#options.connections) return null;
    const line = new OpenLine();
    this.#lines.push(line);
    return line;
  }

  /** Sends this request, and then the queued ones until the queue is empty. */
  async #serve(line: OpenLine, first: Arrival): Promise<void> {
    let next: Arrival | undefined = first;
    while (next !== undefined && !this.#isClosed) {
      await this.#send(line, next);
      [next] = this.#waiting;
      if (next !== undefined) this.#waiting.delete(next);
    }
    if (this.#isClosed) return line.connection?.close(); // it may have been opened in the meantime
    this.#idle.push(line);
    const { connection } = line;
    connection?.watch((event) => {
      if (line.arrival !== null || line.connection !== connection) return;
      if (event === "bytes") this.#surplus++;
      // Servers close connections that were idle for long. No request is lost by that.
      this.#drop(line);
    });
  }

  async #send(line: OpenLine, arrival: Arrival): Promise<void> {
    line.arrival = arrival;
    line.sinceMs = performance.now();
    try {
      line.connection ??= await this.#open();
      arrival.sentMs = now();
      const response = await line.connection.ask();
      if (isOverdue(line)) throw new Error("The response came too late");
      line.arrival = null;
      if (!response.keepsAlive) {
        this.#drop(line);
        this.#listener.reconnected(true);
      }
      this.#listener.answered(arrival, response, now());
    } catch {
      if (this.#isClosed) return;
      const why = isOverdue(line) ? "timeout" : "transport";
      line.arrival = null;
      this.#drop(line);
      this.#listener.reconnected(false);
      this.#listener.failed(arrival, why, now());
    }
  }

  /** Closes the connection. The next request opens a new one. */
  #drop(line: OpenLine): void {
    line.connection?.close();
    line.connection = null;
  }

  #endOverdue(): void {
    const latestMs = performance.now() - 1000 * this.#options.timeoutS;
    for (const line of this.#lines) {
      if (line.arrival === null || line.sinceMs === null || line.sinceMs > latestMs) continue;
      line.sinceMs = null;
      line.connection?.close(); // its pending read fails; a connection that is being opened is checked later
    }
  }

  /** Closes every connection. Pending requests are not reported. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { connection } of this.#lines) connection?.close();
  }
}

/** One connection of the loop, while it is open, and its request in flight. */
class OpenLine {
  connection: Client | null = null;
  arrival: Arrival | null = null;
  /** Start of the request, in milliseconds; null after a timeout. */
  sinceMs: number | null = null;
}

/** Returns whether the request has timed out. */
function isOverdue({ sinceMs }: OpenLine): boolean {
  return sinceMs === null;
}
