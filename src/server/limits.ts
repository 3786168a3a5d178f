/**
 * What one client may cost the server. docs/contract.md has the same table; tests/hostile_client_test.ts
 * sends more than each of them allows.
 */

/** Bodies of `/schema`, in bytes: far more than its contract needs. */
export const MAX_JSON_BYTES = 65_536;

/** Bodies of `/upload`, in bytes: its scenario sends exactly this. */
export const MAX_UPLOAD_BYTES = 1_000_000;

/**
 * Pieces in which a body of unknown length may arrive, whatever their size. For each piece that is
 * read, Deno moves all that it has received, so that many small chunks take quadratic time.
 */
export const FREE_PIECES = 64;

/** Bytes that each piece beyond {@linkcode FREE_PIECES} must have on average. */
export const MIN_PIECE_BYTES = 1024;

/**
 * Bytes of a body of unknown length that are read at once. Deno receives as many for each piece,
 * however small that is; and finds no line before a chunk too long, which 4,096 bytes are, if it reads
 * less at once.
 */
export const PIECE_BYTES = 5120;

/** Time for a body of unknown length to arrive, in ms. */
export const BODY_MS = 30_000;

/**
 * Time between the refusal of a body and the end of its connection, in ms. A client that still sends
 * would lose the response if the connection were closed at once.
 */
export const REFUSAL_MS = 500;

/** WebSockets that may be open at once: more than any load in docs/ opens. */
export const MAX_SOCKETS = 10_000;

/** A message of a WebSocket, in bytes, as the contract of `/echo` has it. */
export const MAX_MESSAGE_BYTES = 65_536;

/** Bytes of a WebSocket's messages that have not been sent back: sixteen of the longest messages. */
export const MAX_UNSENT_BYTES = 16 * MAX_MESSAGE_BYTES;

/**
 * A WebSocket's messages that have not been sent back: twice what `bench verify` sends at once. Each
 * of them costs the server some hundred bytes, and 5 µs.
 */
export const MAX_UNSENT_MESSAGES = 4096;

/** Silence of a WebSocket until it is closed, in s: a ping is sent after half of it. */
export const SOCKET_IDLE_S = 30;

/**
 * Longest time until an upgrade, in ms; longer by as much for each connection that was lost. Deno never
 * frees a connection that is reset between its upgrade and the response, about 0.1 ms. The time is
 * random, so that a client cannot aim at that moment. It hardly delays a handshake.
 */
export const UPGRADE_DELAY_MS = 10;

/** Connections that may be lost in an upgrade. `/echo` then answers 503, so that files are left. */
export const MAX_LOST_UPGRADES = 256;

/** Queries that one request may have under way or waiting: as many as the scenario `queries` asks. */
export const MAX_QUERIES = 20;

/** Queries that one turn of the event loop puts on one connection to PostgreSQL. */
export const MAX_PIPELINED = 16;

/** Requests that may wait for a worker, and queries for the database; `QUEUE_LIMIT` sets another number. */
export const MAX_WAITING = 10_000;

/** Time for a connection to PostgreSQL to open, in ms. */
export const CONNECT_MS = 2000;

/** Time for a query, in ms. */
export const QUERY_MS = 10_000;

/** Time until the database is asked for a connection again after it refused one, in ms. */
export const RECONNECT_MS = 1000;

/** Time for a worker's result, in ms, before the worker is replaced. */
export const WORKER_MS = 30_000;

/** Events that all responses of `/stream` write in one turn of the event loop: about 4 ms of work. */
export const EVENTS_PER_TURN = 500;

/**
 * Memory outside of JavaScript's heap, in bytes: what Deno has received and not handed over. It has
 * no limit for a WebSocket's unfinished message, or for requests behind one that is under way. Above
 * this limit all connections are closed.
 */
export const MAX_NATIVE_BYTES = 2 ** 30;

/** As much again for each worker: its isolate, and the primes that it computes. */
export const WORKER_BYTES = 64 * 2 ** 20;

/** Time between two looks at the memory, in ms. */
export const MEMORY_PAUSE_MS = 250;

/** Time from a WebSocket's message that is too large to the collection of garbage, in ms. */
export const COLLECT_PAUSE_MS = 3000;

/** Time until the server listens again, in ms, after it could take no connection. */
export const LISTEN_PAUSE_MS = 200;

/** Size of a certificate or key file, in bytes. A certificate chain has a few kB. */
export const MAX_PEM_BYTES = 2 ** 20;

/** Time for requests under way once the server is to stop, in ms. */
export const STOP_MS = 10_000;
