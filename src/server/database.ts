import { setImmediate } from "node:timers";
import pg from "pg";
import { Deadline } from "./deadline.ts";
import { CONNECT_MS, MAX_PIPELINED, QUERY_MS, RECONNECT_MS } from "./limits.ts";
import { HttpError } from "./problem.ts";
import { Slots } from "./slots.ts";

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Options of a {@linkcode ServerDatabase}. */
export interface DatabaseOptions {
  /** PostgreSQL's URL. If it is null, every query fails with 503. */
  readonly url: string | null;
  /** Maximum number of connections. */
  readonly connections: number;
  /**
   * Maximum number of queries that wait while {@linkcode MAX_PIPELINED} queries per allowed connection
   * are in progress.
   */
  readonly queueLimit: number;
}

interface PooledConnection {
  readonly client: pg.Client;
  /**
   * Time limit of this connection's queries. One Deadline serves all of them, because PostgreSQL
   * answers in order.
   */
  readonly deadline: Deadline;
  inFlight: number;
}

/**
 * Connections to PostgreSQL, opened on demand.
 *
 * Queries of the same turn of the event loop share one connection, the least busy one (pipelining), until it
 * has {@linkcode MAX_PIPELINED} unanswered queries. This costs one system call for the turn and wakes one
 * process of PostgreSQL, instead of one for each query. Slow queries return in different turns and therefore
 * spread over the connections.
 */
export class ServerDatabase {
  readonly #options: DatabaseOptions;
  readonly #slots: Slots;
  readonly #open: PooledConnection[] = [];
  #opening: Promise<PooledConnection> | null = null;
  #growAfterMs = 0;
  /** Whether the last failed attempt to connect timed out. If not, the database refused it at once. */
  #isSilent = false;
  #isReported = false;
  #currentTurn: PooledConnection | null = null;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#slots = new Slots(
      options.connections * MAX_PIPELINED,
      options.queueLimit,
      "the database",
    );
  }

  /**
   * Runs one prepared statement and returns its rows.
   *
   * @param request if it is aborted while the query waits, the query leaves the queue
   * @throws {HttpError} 503 if the database is unavailable or too many queries wait.
   * @throws {pg.DatabaseError} if the statement fails.
   */
  async query(
    statement: Statement,
    values: readonly unknown[],
    request: Request,
  ): Promise<unknown[]> {
    if (!this.#slots.tryAcquire()) await this.#slots.acquire(request.signal);
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
      throw isUnavailable(error) ? unavailable() : error;
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
    if (this.#currentTurn !== null && this.#currentTurn.inFlight < MAX_PIPELINED) {
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
    return this.#open.length < this.#options.connections && performance.now() >= this.#growAfterMs;
  }

  /** Opens one more connection. Concurrent callers share the attempt. */
  #grow(): Promise<PooledConnection> {
    // A request that finds the database silent does not wait for another timeout.
    if (this.#opening === null && performance.now() < this.#growAfterMs && this.#isSilent) {
      return Promise.reject(unavailable());
    }
    const startMs = performance.now();
    this.#opening ??= this.#connect().catch((error) => {
      this.#growAfterMs = performance.now() + RECONNECT_MS;
      this.#isSilent = performance.now() - startMs >= CONNECT_MS;
      this.#report(error);
      throw error;
    }).finally(() => this.#opening = null);
    return this.#opening;
  }

  async #connect(): Promise<PooledConnection> {
    if (this.#options.url === null) throw unavailable();
    const client = new pg.Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: CONNECT_MS,
      pipeline: true,
    });
    // The queries behind a hanging one hang as well
    const deadline = new Deadline(QUERY_MS, () => {
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

  /** Logs once why the database is unavailable. */
  #report(error: unknown): void {
    if (this.#isReported || error instanceof HttpError) return;
    this.#isReported = true;
    // deno-lint-ignore no-console -- the server's own log
    console.error(
      `Cannot connect to the database: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/**
 * Runs a statement and returns its rows.
 *
 * Passes a callback, because without one pg would make two more promises. Makes the statement the
 * prototype of the query, because pg copies each own property, but no inherited one.
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

/**
 * Returns whether an error means that the database is unavailable. Other errors mean that the
 * statement failed, or that the request was refused or aborted.
 */
function isUnavailable(error: unknown): boolean {
  if (error instanceof HttpError || error instanceof DOMException) return false;
  // Classes: connection exception, insufficient resources, operator intervention.
  // https://www.postgresql.org/docs/18/errcodes-appendix.html
  return !(error instanceof pg.DatabaseError) || /^(08|53|57)/.test(error.code ?? "");
}

function unavailable(): HttpError {
  return new HttpError(503, "The database is unavailable: try again later", { "retry-after": "1" });
}
