import { setImmediate } from "node:timers";
import pg from "pg";
import type { ServerConfig } from "./config.ts";
import { HttpError, unavailable } from "./http.ts";
import { LIMITS } from "./limits.ts";

/** Detects work that takes too long. It must end in order: one timer saves 1 µs per query. */
export class Deadline implements Disposable {
  readonly #ms: number;
  readonly #onLate: () => void;
  /** Start times of the items in progress, the oldest first. */
  readonly #began: number[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** Sets the limit in milliseconds. `onLate` is called once, when the oldest item exceeds it. */
  constructor(ms: number, onLate: () => void) {
    this.#ms = ms;
    this.#onLate = onLate;
  }

  begin(): void {
    this.#began.push(performance.now());
    if (this.#timer === null) this.#wait(this.#ms);
  }

  end(): void {
    this.#began.shift();
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(this.#look, ms);
    Deno.unrefTimer(this.#timer);
  }

  readonly #look = (): void => {
    this.#timer = null;
    const [oldest] = this.#began;
    if (oldest === undefined) return;
    const leftMs = oldest + this.#ms - performance.now();
    if (leftMs > 0) this.#wait(Math.ceil(leftMs));
    else this.#onLate();
  };

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

/** A counting semaphore with a bounded first-in-first-out queue. Aborted requests leave it. */
export class Slots {
  readonly #queue: Set<() => void> = new Set();
  readonly #limit: number;
  readonly #what: string;
  #free: number;

  /** Makes `count` slots; `limit` is the maximum length of the queue. Messages name `what`. */
  constructor(count: number, limit: number, what: string) {
    this.#free = count;
    this.#limit = limit;
    this.#what = what;
  }

  /**
   * Takes a slot, and returns null, or a promise if none is free yet. The caller must then call
   * `release`. Throws 503 if the queue is full, or the signal's reason if it is aborted first.
   * Deno makes the signal of a request when it is read, so it is read only if the request waits.
   */
  acquire(request: Pick<Request, "signal">): Promise<void> | null {
    if (this.#free > 0) {
      this.#free--;
      return null;
    }
    if (this.#queue.size >= this.#limit) {
      throw unavailable(`Too many requests wait for ${this.#what}`);
    }
    const { signal } = request;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#queue.delete(enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#queue.add(enter);
    });
  }

  /** Passes the slot to the next request in the queue, or frees it. */
  release(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#free++;
    } else {
      this.#queue.delete(next);
      next();
    }
  }
}

const UNAVAILABLE = "The database is unavailable";

/** A statement that each connection prepares once, under its name. */
export type Statement = Readonly<Record<"name" | "text", string>>;

interface PooledConnection {
  readonly client: pg.Client;
  /** Time limit of this connection's queries, which PostgreSQL answers in order. */
  readonly deadline: Deadline;
  inFlight: number;
}

/**
 * Connections to PostgreSQL, opened on demand. Without a URL, every query fails with 503.
 *
 * Queries of one turn of the event loop share the least busy connection (pipelining), until it has
 * `MAX_PIPELINED` unanswered queries. Together they cost one system call and wake PostgreSQL once.
 * Slow queries return in different turns and therefore spread over the connections.
 */
export class ServerDatabase {
  readonly #config: ServerConfig;
  readonly #slots: Slots;
  readonly #open: PooledConnection[] = [];
  #opening: Promise<PooledConnection> | null = null;
  #growAfterMs = 0;
  /** Whether the last failed attempt to connect timed out. If not, the database refused it at once. */
  #isSilent = false;
  #isReported = false;
  #currentTurn: PooledConnection | null = null;

  constructor(config: ServerConfig) {
    this.#config = config;
    const most = config.dbPool * LIMITS.MAX_PIPELINED;
    this.#slots = new Slots(most, config.queueLimit, "the database");
  }

  /**
   * Runs one prepared statement for a request and returns its rows.
   *
   * @throws {HttpError} 503 if the database is unavailable or too many queries wait.
   * @throws {pg.DatabaseError} if the statement fails.
   */
  async query(
    statement: Statement,
    values: readonly unknown[],
    request: Request,
  ): Promise<unknown[]> {
    const waiting = this.#slots.acquire(request);
    if (waiting !== null) await waiting; // `await null` would take another turn of the microtasks
    try {
      const connection = this.#pick() ?? await this.#grow();
      connection.inFlight++;
      connection.deadline.begin();
      try {
        return await rowsOf(connection.client, statement, values);
      } finally {
        connection.inFlight--;
        connection.deadline.end();
      }
    } catch (error) {
      throw isUnavailable(error) ? unavailable(UNAVAILABLE) : error;
    } finally {
      this.#slots.release();
    }
  }

  /** Closes every connection after its pending queries. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    await Promise.all(this.#open.map(({ client }) => client.end()));
  }

  #pick(): PooledConnection | null {
    if (this.#currentTurn !== null && this.#currentTurn.inFlight < LIMITS.MAX_PIPELINED) {
      return this.#currentTurn;
    }
    let best: PooledConnection | null = null;
    for (const candidate of this.#open) {
      if (best === null || candidate.inFlight < best.inFlight) best = candidate;
    }
    if (best === null) return null;
    if (best.inFlight > 0 && this.#mayGrow()) this.#grow().catch(() => {});
    this.#currentTurn = best;
    // Otherwise the first query of a turn would be sent separately
    best.client.connection.stream.cork();
    setImmediate(this.#endTurn, best);
    return best;
  }

  readonly #endTurn = ({ client }: PooledConnection): void => {
    this.#currentTurn = null;
    client.connection.stream.uncork();
  };

  #mayGrow(): boolean {
    return this.#open.length < this.#config.dbPool && performance.now() >= this.#growAfterMs;
  }

  /** Opens one more connection. Concurrent callers share the attempt. */
  #grow(): Promise<PooledConnection> {
    // A request that finds the database silent does not wait for another timeout.
    if (this.#opening === null && performance.now() < this.#growAfterMs && this.#isSilent) {
      return Promise.reject(unavailable(UNAVAILABLE));
    }
    const startMs = performance.now();
    this.#opening ??= this.#connect().catch((error) => {
      this.#growAfterMs = performance.now() + LIMITS.RECONNECT_MS;
      this.#isSilent = performance.now() - startMs >= LIMITS.CONNECT_MS;
      if (!this.#isReported && !(error instanceof HttpError)) {
        this.#isReported = true;
        // deno-lint-ignore no-console -- the server's own log
        console.error(`Cannot connect to the database: ${error?.message ?? error}`);
      }
      throw error;
    }).finally(() => this.#opening = null);
    return this.#opening;
  }

  async #connect(): Promise<PooledConnection> {
    if (this.#config.databaseUrl === null) throw unavailable(UNAVAILABLE);
    const client = new pg.Client({
      connectionString: this.#config.databaseUrl,
      connectionTimeoutMillis: LIMITS.CONNECT_MS,
      pipeline: true,
    });
    // The queries behind a hanging one hang as well
    const deadline = new Deadline(LIMITS.QUERY_MS, () => {
      client.connection.stream.destroy(new Error("The database does not answer"));
    });
    const connection = { client, deadline, inFlight: 0 };
    const forget = (): void => {
      deadline[Symbol.dispose]();
      const at = this.#open.indexOf(connection);
      if (at >= 0) this.#open.splice(at, 1);
      if (this.#currentTurn === connection) this.#currentTurn = null;
    };
    client.on("error", forget);
    client.on("end", forget);
    await client.connect();
    this.#open.push(connection);
    this.#isReported = false;
    return connection;
  }
}

/**
 * Passes a callback to pg, because without one pg would make two more promises. The statement is
 * the prototype of the query, because pg copies each own property, but no inherited one.
 */
function rowsOf(
  client: pg.Client,
  statement: Statement,
  values: readonly unknown[],
): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const query: pg.QueryConfig = Object.create(statement, { values: { value: values } });
    client.query(query, (error, result) => error ? reject(error) : resolve(result.rows));
  });
}

/** Other errors mean that the statement failed, or that the request was refused or aborted. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof HttpError || error instanceof DOMException) return false;
  // Classes: connection exception, insufficient resources, operator intervention.
  // https://www.postgresql.org/docs/18/errcodes-appendix.html
  return !(error instanceof pg.DatabaseError) || /^(08|53|57)/.test(error.code ?? "");
}
