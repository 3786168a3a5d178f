import { setImmediate } from "node:timers";
import pg from "pg";
import { Deadline } from "./deadline.ts";
import { CONNECT_MS, MAX_PIPELINED, QUERY_MS, RECONNECT_MS } from "./limits.ts";
import { HttpError } from "./problem.ts";
import { Slots } from "./slots.ts";

/** A statement that is prepared once for each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Options of a {@linkcode ServerDatabase}. */
export interface DatabaseOptions {
  /** PostgreSQL's URL, or null if there is none: every query then fails with 503. */
  readonly url: string | null;
  /** How many connections are opened at most. */
  readonly connections: number;
  /** How many queries may wait once every connection has as many under way as it may have. */
  readonly queueLimit: number;
}

interface PooledConnection {
  readonly client: pg.Client;
  /** Of its queries, which are answered in their order. */
  readonly deadline: Deadline;
  underWay: number;
}

/**
 * Connections to PostgreSQL, opened when they are needed.
 *
 * Queries that are sent within one turn of the event loop travel on one connection, the least busy
 * one (PostgreSQL's pipelining): the turn then costs one system call, and wakes one server process,
 * instead of one for each query. Slow queries answer in turns of their own and so spread out.
 */
export class ServerDatabase {
  readonly #options: DatabaseOptions;
  readonly #slots: Slots;
  readonly #open: PooledConnection[] = [];
  #opening: Promise<PooledConnection> | null = null;
  #growAfterMs = 0;
  /** Whether the last attempt to connect was not refused but left without a response. */
  #isSilent = false;
  #isReported = false;
  #ofThisTurn: PooledConnection | null = null;

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
   * @param request whose abort takes the query out of the queue, if it still waits.
   * @throws {HttpError} 503 if the database is away or too many queries wait.
   * @throws {pg.DatabaseError} if the statement itself fails.
   */
  async query(
    statement: Statement,
    values: readonly unknown[],
    request: Request,
  ): Promise<unknown[]> {
    if (!this.#slots.tryAcquire()) await this.#slots.acquire(request.signal);
    try {
      const connection = this.#pick() ?? await this.#grow();
      connection.underWay++;
      connection.deadline.begin();
      try {
        return await rowsOf(connection.client, statement, values);
      } finally {
        connection.underWay--;
        connection.deadline.end();
      }
    } catch (error) {
      throw isAway(error) ? unavailable() : error;
    } finally {
      this.#slots.release();
    }
  }

  /** Closes every connection; queries under way finish first. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    await Promise.all(this.#open.map(({ client }) => client.end()));
  }

  #pick(): PooledConnection | null {
    if (this.#ofThisTurn !== null && this.#ofThisTurn.underWay < MAX_PIPELINED) {
      return this.#ofThisTurn;
    }
    let best: PooledConnection | null = null;
    for (const candidate of this.#open) {
      if (best === null || candidate.underWay < best.underWay) best = candidate;
    }
    if (best === null) return null;
    if (best.underWay > 0 && this.#mayGrow()) this.#grow().catch(() => {});
    this.#ofThisTurn = best;
    // Or else the first query of a turn would be sent alone, and the others behind it
    best.client.connection.stream.cork();
    setImmediate(this.#endTurn, best);
    return best;
  }

  readonly #endTurn = ({ client }: PooledConnection): void => {
    this.#ofThisTurn = null;
    client.connection.stream.uncork();
  };

  #mayGrow(): boolean {
    return this.#open.length < this.#options.connections && performance.now() >= this.#growAfterMs;
  }

  /** Opens one more connection; all that ask meanwhile share the attempt. */
  #grow(): Promise<PooledConnection> {
    // A request that finds it away does not wait to find out again.
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
    // What is behind a query that hangs hangs too
    const deadline = new Deadline(QUERY_MS, () => {
      client.connection.stream.destroy(new Error("The database does not answer"));
    });
    const connection = { client, deadline, underWay: 0 };
    const forget = (): void => {
      deadline[Symbol.dispose]();
      const at = this.#open.indexOf(connection);
      if (at >= 0) this.#open.splice(at, 1);
      if (this.#ofThisTurn === connection) this.#ofThisTurn = null;
    };
    client.on("error", forget);
    client.on("end", forget);
    await client.connect();
    this.#open.push(connection);
    this.#isReported = false;
    return connection;
  }

  /** Says once why the database is away. */
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
 * What a statement returns. The callback spares two promises of pg's own; and pg copies a query's own
 * properties one by one, which those of its prototype are not.
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

/** Whether the database cannot be reached, as opposed to an error in the statement. */
function isAway(error: unknown): boolean {
  if (error instanceof HttpError || error instanceof DOMException) return false;
  // Connection exception, insufficient resources, operator intervention:
  // https://www.postgresql.org/docs/18/errcodes-appendix.html
  return !(error instanceof pg.DatabaseError) || /^(08|53|57)/.test(error.code ?? "");
}

function unavailable(): HttpError {
  return new HttpError(503, "The database is away: try again later", { "retry-after": "1" });
}
