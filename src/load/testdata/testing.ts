/** Helpers for the tests of this folder: a short load, real servers on free ports, and waiting. */
import type { Load } from "../../model/experiment.ts";
import type { LoadGenerator } from "../generator.ts";
import { BUILT_IN_GENERATORS } from "../generator_list.ts";

/** Longest wait for events that come at once, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** A load with a short window. */
export const LOAD: Load = {
  connections: 5,
  shards: 1,
  warmupS: 0.1,
  mostWarmupS: 0.1,
  durationS: 0.3,
  responses: null,
  timeoutS: 5,
  open: null,
};

/** Defines the same test for each built-in load generator. */
export function each(
  name: string,
  run: (generator: LoadGenerator) => Promise<void> | void,
): void {
  for (const generator of BUILT_IN_GENERATORS) {
    Deno.test(`${generator.id}: ${name}`, () => run(generator));
  }
}

/** Options of a test that fails if it leaves something open. Deno only checks that on request. */
export const TIDY = { sanitizeOps: true, sanitizeResources: true } as const;

/** A handler of {@linkcode serve}. */
export type TestHandler = Deno.ServeHandler<Deno.NetAddr>;

/** A server on the loopback interface. It ends with its scope. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
}

/** Starts a server with one handler. It ends after all its responses. */
export function serve(handler: TestHandler): TestServer {
  const end = new AbortController();
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {}, signal: end.signal };
  const server = Deno.serve(options, handler);
  return {
    port: server.addr.port,
    [Symbol.asyncDispose]: () => within(server.shutdown()).catch(() => end.abort()),
  };
}

/** Starts a server that writes these bytes after each request and closes the connection. */
export function serveRaw(text: string): TestServer {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const respond = async (connection: Deno.Conn): Promise<void> => {
    using _ = connection;
    await connection.read(new Uint8Array(4096));
    await connection.write(new TextEncoder().encode(text));
  };
  const responses: Promise<void>[] = [];
  const serving = (async () => {
    for await (const connection of listener) responses.push(respond(connection).catch(() => {}));
  })();
  return {
    port: listener.addr.port,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await serving;
      await Promise.all(responses);
    },
  };
}

/**
 * Starts a server that keeps its connections open. It writes the texts for the n-th request, from 1,
 * one after the other.
 *
 * @param gapMs pause between two texts of a request, in milliseconds
 * @param idleMs idle time after which a connection is closed, in milliseconds
 */
export function serveTexts(
  textsOf: (request: number) => readonly string[],
  gapMs = 5,
  idleMs = Infinity,
): TestServer {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  let requests = 0;
  const respond = async (connection: Deno.TcpConn): Promise<void> => {
    using _ = connection;
    connection.setNoDelay(true);
    const received = new Uint8Array(65536);
    let timer: ReturnType<typeof setTimeout> | undefined;
    using _timer = { [Symbol.dispose]: () => clearTimeout(timer) };
    for (let count = await connection.read(received); count !== null;) {
      clearTimeout(timer);
      const heads = new TextDecoder().decode(received.subarray(0, count)).split("\r\n\r\n");
      for (let left = heads.length - 1; left > 0; left--) {
        for (const [i, text] of textsOf(++requests).entries()) {
          if (i > 0 && gapMs > 0) await sleep(gapMs);
          const bytes = new TextEncoder().encode(text);
          for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
        }
      }
      if (idleMs < Infinity) timer = setTimeout(() => connection.close(), idleMs);
      count = await connection.read(received);
    }
  };
  const serving = (async () => {
    for await (const connection of listener) respond(connection).catch(() => {});
  })();
  return {
    port: listener.addr.port,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await serving;
    },
  };
}

/**
 * Waits.
 *
 * @param ms milliseconds
 */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Waits until a condition is true.
 *
 * @throws {Error} if it never is.
 */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`It never came to this: ${isSo}`);
    await sleep(1);
  }
}

/**
 * Returns the value of a promise.
 *
 * @throws {Error} if it takes too long.
 */
export async function within<T>(promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("Nothing came")), TIMEOUT_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
