/** Limits on the resources that one client can use. docs/contract.md has the same table. */
export const LIMITS = {
  /** Maximum size of a body of `/schema`, in bytes: far more than its contract needs. */
  MAX_JSON_BYTES: 65_536,
  /** Maximum size of a body of `/upload`, in bytes: exactly the size that its scenario sends. */
  MAX_UPLOAD_BYTES: 1_000_000,
  /**
   * Number of pieces of any size in which a body of unknown length may arrive. A piece is the result
   * of one read, and for each Deno moves all bytes received so far: small pieces take quadratic time.
   */
  FREE_PIECES: 64,
  /** Minimum average size of the pieces beyond `FREE_PIECES`, in bytes. */
  MIN_PIECE_BYTES: 1024,
  /**
   * Maximum size of one read of a body of unknown length, in bytes. Deno allocates it for each piece.
   * It must exceed 4,096, Deno's limit for the line before a chunk, or Deno accepts longer lines.
   */
  PIECE_BYTES: 5120,
  /** Time limit for a body of unknown length to arrive, in ms. After that the server answers 408. */
  BODY_MS: 30_000,
  /** Milliseconds until a rejected body's connection ends: a sending client reads on. */
  REFUSAL_MS: 500,

  /** Maximum number of open WebSockets: more than any load in docs/ opens. */
  MAX_SOCKETS: 10_000,
  /** Maximum size of a WebSocket message, in bytes: that of the contract of `/echo`. */
  MAX_MESSAGE_BYTES: 65_536,
  /** Maximum number of unsent bytes of a WebSocket, 1 MiB: memory for a client that does not read. */
  MAX_UNSENT_BYTES: 2 ** 20,
  /**
   * Maximum number of unsent messages of one WebSocket: twice as many as `stampede verify` sends at
   * once. Each message costs the server a few hundred bytes and 5 µs.
   */
  MAX_UNSENT_MESSAGES: 4096,
  /** Time in s after which a silent WebSocket is closed. Deno sends a ping after half of it. */
  SOCKET_IDLE_S: 30,
  /**
   * Maximum of the random delay before an upgrade to a WebSocket, in ms; each leaked connection adds
   * as much. A connection leaks, because Deno never frees it, if the client resets it in the 0.1 ms
   * between upgrade and response. The delay keeps a client from hitting that moment on purpose.
   */
  UPGRADE_DELAY_MS: 10,
  /** Connections that Deno may leak before `/echo` answers 503: descriptors must not run out. */
  MAX_LOST_UPGRADES: 256,

  /** Maximum number of unfinished queries of one request: the number in the scenario `queries`. */
  MAX_QUERIES: 20,
  /**
   * A connection to PostgreSQL with this many unanswered queries is not reused in the same turn of
   * the event loop. At most this number per allowed connection is in progress; others wait.
   */
  MAX_PIPELINED: 16,
  /** Maximum number of requests waiting for a worker, and of queries; `QUEUE_LIMIT` changes it. */
  MAX_WAITING: 10_000,
  /** Time limit for opening a connection to PostgreSQL, in ms. */
  CONNECT_MS: 2000,
  /** Time limit of a query, in ms. After that its connection to PostgreSQL is closed. */
  QUERY_MS: 10_000,
  /** Pause after a failed attempt to connect to the database, in ms, without another attempt. */
  RECONNECT_MS: 1000,
  /** Time limit of a worker's job, in ms. After that the worker is replaced. */
  WORKER_MS: 30_000,
  /** Maximum number of events that all `/stream` responses write in one turn: about 4 ms of work. */
  EVENTS_PER_TURN: 500,

  /**
   * Maximum memory outside JavaScript's heap, in bytes. Above it the server closes all connections.
   * It is mainly data that no handler has received: Deno limits neither an unfinished WebSocket
   * message nor the requests that a client sends while another of its requests is running.
   */
  MAX_NATIVE_BYTES: 2 ** 30,
  /** Addition to `MAX_NATIVE_BYTES` for each worker: room for its isolate and primes. */
  WORKER_BYTES: 64 * 2 ** 20,
  /** Interval between two checks of the memory, in ms. */
  MEMORY_PAUSE_MS: 250,
  /** Delay in ms from an oversized WebSocket message to the collection that all within it share. */
  COLLECT_PAUSE_MS: 3000,
  /** Pause before the server listens again after it could not accept a connection, in ms. */
  LISTEN_PAUSE_MS: 200,
  /** Maximum size of a certificate or key file, in bytes. A certificate chain has a few kB. */
  MAX_PEM_BYTES: 2 ** 20,
  /** Time limit for current requests after a stop signal, in ms. After that the process ends. */
  STOP_MS: 10_000,
} as const;
