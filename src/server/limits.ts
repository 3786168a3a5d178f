/**
 * Limits on the resources that one client can use. docs/contract.md has the same table;
 * tests/hostile_client_test.ts exceeds each limit.
 */

/** Size of a body of `/schema`, in bytes: far more than its contract needs. */
export const MAX_JSON_BYTES = 65_536;

/** Size of a body of `/upload`, in bytes: exactly the size that its scenario sends. */
export const MAX_UPLOAD_BYTES = 1_000_000;

/**
 * Number of pieces of any size in which a body of unknown length may arrive. For each piece, Deno moves
 * all bytes received so far. Many small pieces would therefore take quadratic time.
 */
export const FREE_PIECES = 64;

/** Average size of the pieces beyond {@linkcode FREE_PIECES}, in bytes, at least. */
export const MIN_PIECE_BYTES = 1024;

/**
 * Read size for a body of unknown length, in bytes. Deno allocates it for each piece, even a small one.
 * It must exceed 4,096 bytes, the longest line before a chunk; with a smaller size, Deno does not
 * reject longer lines.
 */
export const PIECE_BYTES = 5120;

/** Time for a body of unknown length to arrive, in ms. */
export const BODY_MS = 30_000;

/**
 * Time between the rejection of a body and the end of its connection, in ms. A client that is still
 * sending would lose the response if the connection closed at once.
 */
export const REFUSAL_MS = 500;

/** Number of open WebSockets: more than any load in docs/ opens. */
export const MAX_SOCKETS = 10_000;

/** Size of a WebSocket message, in bytes: the contract of `/echo`. */
export const MAX_MESSAGE_BYTES = 65_536;

/** Unsent bytes of one WebSocket: sixteen messages of the largest size. */
export const MAX_UNSENT_BYTES = 16 * MAX_MESSAGE_BYTES;

/**
 * Unsent messages of one WebSocket: twice as many as `bench verify` sends at once. Each message costs
 * the server a few hundred bytes and 5 µs.
 */
export const MAX_UNSENT_MESSAGES = 4096;

/** Idle time after which a WebSocket is closed, in s. A ping is sent after half of it. */
export const SOCKET_IDLE_S = 30;

/**
 * Longest random delay before an upgrade, in ms; the delay grows by the same amount for each lost
 * connection.
 *
 * If a client resets a connection between its upgrade and the response, about 0.1 ms, Deno never frees
 * it. A random delay prevents a client from hitting that moment on purpose. It hardly delays a
 * handshake.
 */
export const UPGRADE_DELAY_MS = 10;

/**
 * Number of connections that may be lost in upgrades. After that `/echo` answers 503, so that the
 * process does not run out of files.
 */
export const MAX_LOST_UPGRADES = 256;

/**
 * Number of queries of one request that are running or queued at once: the number in the scenario
 * `queries`.
 */
export const MAX_QUERIES = 20;

/** Number of queries that one turn of the event loop sends on one connection to PostgreSQL. */
export const MAX_PIPELINED = 16;

/**
 * Number of requests that may wait for a worker, and of queries that may wait for the database.
 * `QUEUE_LIMIT` changes it.
 */
export const MAX_WAITING = 10_000;

/** Time to open a connection to PostgreSQL, in ms. */
export const CONNECT_MS = 2000;

/** Time limit of a query, in ms. */
export const QUERY_MS = 10_000;

/** Pause after a failed connection to the database before the next attempt, in ms. */
export const RECONNECT_MS = 1000;

/** Time limit of a worker's job, in ms. After that the worker is replaced. */
export const WORKER_MS = 30_000;

/**
 * Number of events that all responses of `/stream` write in one turn of the event loop: about 4 ms of
 * work.
 */
export const EVENTS_PER_TURN = 500;

/**
 * Memory outside JavaScript's heap, in bytes: data that Deno has received but not handed over. Deno
 * does not limit a WebSocket's unfinished message, or requests behind a running one. Above this limit
 * all connections are closed.
 */
export const MAX_NATIVE_BYTES = 2 ** 30;

/** Additional memory for each worker, in bytes: its isolate and the primes that it computes. */
export const WORKER_BYTES = 64 * 2 ** 20;

/** Interval between two checks of the memory, in ms. */
export const MEMORY_PAUSE_MS = 250;

/** Delay between an oversized WebSocket message and the garbage collection, in ms. */
export const COLLECT_PAUSE_MS = 3000;

/** Pause before the server listens again after it could not accept a connection, in ms. */
export const LISTEN_PAUSE_MS = 200;

/** Size of a certificate or key file, in bytes. A certificate chain has a few kB. */
export const MAX_PEM_BYTES = 2 ** 20;

/** Time for pending requests after the server was asked to stop, in ms. */
export const STOP_MS = 10_000;
