import { now } from "../metronome.ts";
import type { ClosedLoopOptions } from "./closed_loop.ts";
import { type Client, Line, opener } from "./load_client.ts";
import type { ParsedResponse } from "./response_reader.ts";

/** A request that is due. Times are in milliseconds, on the clock of `now`. */
export interface Arrival {
  /** Scheduled send time. */
  readonly dueMs: number;
  /** Time at which this client noticed that the request was due. */
  readonly noticedMs: number;
  /** Time at which the request was sent; null: not yet. */
  sentMs: number | null;
}

/** Receives the outcome of each request. Times are in milliseconds, on the clock of `now`. */
interface OpenLoopListener {
  /** Receives a complete response; `atMs` is the time of its last byte. */
  answered(arrival: Arrival, response: ParsedResponse, atMs: number): void;
  /** Reports a request without a response; `atMs` is the time of the failure. */
  failed(arrival: Arrival, why: "timeout" | "transport", atMs: number): void;
  /** Reports that a new connection replaced an old one. The server may have announced the close. */
  reconnected(wasAnnounced: boolean): void;
}

/**
 * An open loop: sends a request at each call, without waiting for earlier responses. A request
 * takes an idle connection or opens a new one, up to the limit. Otherwise it waits in a queue.
 */
export class OpenLoop implements Disposable {
  readonly #connections: number;
  readonly #listener: OpenLoopListener;
  readonly #open: () => Promise<Client>;
  readonly #lines: OpenLine[] = [];
  /** The connection that was used last is taken first, so that few connections are needed. */
  readonly #idle: OpenLine[] = [];
  readonly #waiting: Set<Arrival> = new Set();
  readonly #timer: ReturnType<typeof setInterval>;
  #isClosed = false;
  /** Number of connections that received surplus bytes so far. */
  surplus = 0;

  /** @param options with the largest number of connections; an open loop does not pipeline */
  constructor(options: ClosedLoopOptions, listener: OpenLoopListener) {
    this.#connections = options.connections;
    this.#listener = listener;
    this.#open = opener({ ...options, pipelined: 1 });
    this.#timer = Line.endOverdue(this.#lines, options.timeoutS);
  }

  /** Requests in flight. */
  get underWay(): Arrival[] {
    return this.#lines.flatMap(({ arrival }) => arrival ?? []);
  }

  /** Sends a request now, or queues it. `dueMs` is its scheduled send time. */
  arrive(dueMs: number): void {
    const arrival: Arrival = { dueMs, noticedMs: now(), sentMs: null };
    const line = this.#idle.pop() ?? this.#add();
    if (line === null) this.#waiting.add(arrival);
    else this.#serve(line, arrival);
  }

  /** Empties the queue and returns its requests, which were never sent. */
  shed(): Arrival[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }

  #add(): OpenLine | null {
    if (this.#lines.length === this.#connections) return null;
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
      if (event === "bytes") this.surplus++;
      // Servers close connections that were idle for long. No request is lost by that.
      line.drop();
    });
  }

  async #send(line: OpenLine, arrival: Arrival): Promise<void> {
    line.arrival = arrival;
    line.sinceMs = performance.now();
    try {
      line.connection ??= await this.#open();
      arrival.sentMs = now();
      const response = await line.connection.ask();
      if (line.sinceMs === null) throw new Error("The response came too late");
      line.arrival = line.sinceMs = null;
      if (!response.keepsAlive) {
        line.drop();
        this.#listener.reconnected(true);
      }
      this.#listener.answered(arrival, response, now());
    } catch {
      if (this.#isClosed) return;
      const why = line.sinceMs === null ? "timeout" : "transport";
      line.arrival = line.sinceMs = null;
      line.drop();
      this.#listener.reconnected(false);
      this.#listener.failed(arrival, why, now());
    }
  }

  /** Closes every connection. Pending requests are not reported. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { connection } of this.#lines) connection?.close();
  }
}

class OpenLine extends Line {
  arrival: Arrival | null = null; // the request in flight
}
