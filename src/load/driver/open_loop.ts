import { now } from "../metronome.ts";
import type { ParsedResponse } from "./response_reader.ts";
import { type Client, opener, type Talk } from "./load_client.ts";

/** How often it is looked whether a request has waited too long, in milliseconds. */
const TIMEOUT_STEP_MS = 50;

/** What is sent, and over how many connections at most. */
export interface OpenLoopOptions extends Omit<Talk, "pipelined"> {
  readonly connections: number;
  readonly timeoutS: number;
}

/** A request whose time has come; times are in milliseconds, on the clock of `now`. */
export interface Arrival {
  /** When it was to be sent. */
  readonly dueMs: number;
  /** When this client saw that. */
  readonly noticedMs: number;
  /** When it was sent; null: not yet. */
  sentMs: number | null;
}

/** Hears what becomes of requests. */
export interface OpenLoopListener {
  answered(arrival: Arrival, response: ParsedResponse, atMs: number): void;
  failed(arrival: Arrival, why: "timeout" | "transport", atMs: number): void;
  /** A connection was opened that takes the place of another one. */
  reconnected(wasAnnounced: boolean): void;
}

/**
 * Sends a request whenever it is told to, whether or not the responses before have come: an open loop.
 * It takes a connection that is idle, or opens another one, up to a number of them; a request that finds all
 * of them busy waits in line.
 */
export class OpenLoop implements Disposable {
  readonly #options: OpenLoopOptions;
  readonly #listener: OpenLoopListener;
  readonly #open: () => Promise<Client>;
  readonly #lines: OpenLine[] = [];
  /** The one that was used last is taken first, so that few are needed. */
  readonly #idle: OpenLine[] = [];
  readonly #waiting: Set<Arrival> = new Set();
  readonly #timer: ReturnType<typeof setInterval>;
  #isClosed = false;
  #surplus = 0;

  constructor(options: OpenLoopOptions, listener: OpenLoopListener) {
    this.#options = options;
    this.#listener = listener;
    // Requests that are due one by one are sent one by one
    this.#open = opener({ ...options, pipelined: 1 });
    this.#timer = setInterval(() => this.#endOverdue(), TIMEOUT_STEP_MS);
  }

  /** Requests that are under way. */
  get underWay(): Arrival[] {
    return this.#lines.flatMap(({ arrival }) => arrival ?? []);
  }

  /** Number of connections that received surplus bytes so far. */
  get surplus(): number {
    return this.#surplus;
  }

  /** A request is due, or was at that time. */
  arrive(dueMs: number): void {
    const arrival: Arrival = { dueMs, noticedMs: now(), sentMs: null };
    const line = this.#idle.pop() ?? this.#add();
    if (line === null) this.#waiting.add(arrival);
    else this.#serve(line, arrival);
  }

  /**
   * Takes those that wait in line out of it.
   *
   * @returns what will not be sent
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

  /** Sends this request and then those in line, until nobody waits. */
  async #serve(line: OpenLine, first: Arrival): Promise<void> {
    let next: Arrival | undefined = first;
    while (next !== undefined && !this.#isClosed) {
      await this.#send(line, next);
      [next] = this.#waiting;
      if (next !== undefined) this.#waiting.delete(next);
    }
    if (this.#isClosed) return line.connection?.close(); // it may have been opened meanwhile
    this.#idle.push(line);
    const { connection } = line;
    connection?.watch((event) => {
      if (line.arrival !== null || line.connection !== connection) return;
      if (event === "bytes") this.#surplus++;
      // Servers close connections that were idle for long: no request was lost by that
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

  /** The next request of this line opens a connection. */
  #drop(line: OpenLine): void {
    line.connection?.close();
    line.connection = null;
  }

  #endOverdue(): void {
    const latestMs = performance.now() - 1000 * this.#options.timeoutS;
    for (const line of this.#lines) {
      if (line.arrival === null || line.sinceMs === null || line.sinceMs > latestMs) continue;
      line.sinceMs = null;
      line.connection?.close(); // its read ends, and one that is being opened is noticed afterwards
    }
  }

  /** Closes every connection; what is under way has no response, and nobody hears of it. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { connection } of this.#lines) connection?.close();
  }
}

/** One connection, and the request that is under way on it. */
class OpenLine {
  connection: Client | null = null;
  arrival: Arrival | null = null;
  /** Since when the request has been under way; null once it was given up. */
  sinceMs: number | null = null;
}

/** Whether the request under way has been given up. */
function isOverdue({ sinceMs }: OpenLine): boolean {
  return sinceMs === null;
}
