/**
 * The process that generates load with autocannon, which only sends the requests. Its figures are
 * not used: its latencies are whole milliseconds, its rate counts every status, and its window ends
 * with a tick of its clock. Errors of its connections are corrected.
 */
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";
import autocannon, { type Client, type Instance } from "autocannon";
import type { Measurement } from "../model/raw.ts";
import { LONGEST_BODY } from "../model/body.ts";
import { pause } from "../process/pause.ts";
import { DRAIN_MS, type LoadJob, serveJobs, SURPLUS, WATCH_MS } from "./generator.ts";
import { WindowRun } from "./window_run.ts";

/** Switching Protocols: the only final status below 200. */
const SWITCHED = 101;

/** Private members of autocannon's client. */
interface Internals {
  readonly conn: Socket;
  _connect(): void;
  _destroyConnection(): void;
  _doRequest(): void;
  _resetConnection(): void;
  readonly pipelinedRequests: {
    clear(): void;
    peek(): { body: string; readonly headers: { readonly statusCode?: number } } | undefined;
    addByteCount(count: number): void;
    addBody(chunk: Buffer): void;
  };
  readonly parser: {
    readonly constructor: { readonly kOnMessageComplete: number };
    [handler: number]: () => void;
    initialize(type: "RESPONSE"): void;
  };
}

/**
 * Corrects five errors of one autocannon connection:
 * - If the server closes the connection, autocannon reconnects without notice. It counts the next
 *   response as the response to the lost request.
 * - If the server announces the close, autocannon still sends the next request, which is lost.
 * - It counts interim responses (1xx) as final.
 * - It counts a surplus response as the response to the next request.
 * - It sends the next request as soon as it has read a response. Deno reads up to 32 times from one
 *   connection before it reads from the next. One connection would get 32 responses in a row, and
 *   most latencies would be a fraction of the mean. So requests wait until all connections were
 *   read.
 */
export function correct(
  connection: Client,
  listener: { reconnected(wasAnnounced: boolean): void; surplus(): void },
): { readonly isIdle: boolean; halt(): void } {
  const client = connection as unknown as Internals;
  const { pipelinedRequests: requests, _doRequest: request, _connect: connect } = client;
  let isHalted = false;
  let isOpen = false;
  /** Whether the server has announced that it will close the connection. */
  let isClosing = false;
  /** Whether the current chunk has completed the response. Further bytes in it are surplus. */
  let isAnswered = false;
  const isIdle = (): boolean => requests.peek() === undefined;

  const onHeaders = ({ shouldKeepAlive }: { readonly shouldKeepAlive: boolean }): void => {
    isClosing = !shouldKeepAlive;
  };
  connection.on("headers", onHeaders as never);
  // autocannon decodes each chunk separately, which breaks characters that span two chunks
  requests.addBody = (chunk) => {
    const request = requests.peek();
    if (request) request.body += chunk.toString("latin1");
    if ((request?.body.length ?? 0) <= LONGEST_BODY) return;
    requests.clear();
    // resetting must wait until the parser has returned
    queueMicrotask(() => client._resetConnection());
  };
  const { addByteCount } = requests;
  requests.addByteCount = (count) => {
    isAnswered = isIdle();
    if (isAnswered) listener.surplus();
    else addByteCount.call(requests, count);
  };
  client._doRequest = () => {
    if (isClosing) client._resetConnection();
    else if (!isHalted) request.call(client);
  };
  client._connect = () => {
    if (isOpen) {
      // An error of the old connection would replace the new one
      client._destroyConnection();
      client.parser.initialize("RESPONSE"); // the parser may have stopped within a response
      listener.reconnected(isClosing);
    } else patchParser(); // autocannon has set the parser's handlers by now
    isOpen = true;
    isClosing = false;
    connect.call(client);
    const { conn } = client;
    const write = conn.write;
    conn.write = ((bytes: Buffer) => {
      sendLater(() => conn.destroyed || write.call(conn, bytes));
      return true;
    }) as typeof write;
  };

  function patchParser(): void {
    const { parser } = client;
    const { kOnMessageComplete } = parser.constructor;
    const complete = parser[kOnMessageComplete] as () => void;
    parser[kOnMessageComplete] = () => {
      const request = requests.peek();
      const status = request?.headers.statusCode ?? 0;
      if (isAnswered) {
        listener.surplus();
        if (request) request.body = "";
      } else if (status >= 200 || status === SWITCHED) {
        isAnswered = true;
        complete();
      } // An interim response: the final one follows
    };
  }

  return {
    get isIdle(): boolean {
      return isIdle();
    },
    halt: () => void (isHalted = true),
  };
}

/** Requests that wait until all connections have been read in this turn of the event loop. */
let unsent: (() => void)[] = [];

function sendLater(send: () => void): void {
  if (unsent.push(send) > 1) return;
  setImmediate(() => {
    const all = unsent;
    unsent = [];
    for (const one of all) one();
  });
}

/** Interval at which autocannon checks for the end of a run, in ms. */
const TICK_MS = 50;
/** Interval between two checks whether requests are still pending, in ms. */
const STEP_MS = 5;

async function load(job: LoadJob, say: (line: string) => void): Promise<Measurement> {
  const { load, request, expected } = job;
  const run = new WindowRun(job, say);
  const isRight = comparison(expected);
  const ended = Promise.withResolvers<void>();
  let isToCheck = false;
  const connections: ReturnType<typeof correct>[] = [];
  const listener = {
    reconnected: (wasAnnounced: boolean) => run.reconnected(wasAnnounced),
    surplus: () => run.checked(SURPLUS),
  };
  const instance: Instance = autocannon({
    url: job.origin + request.path,
    method: request.method as "GET",
    headers: { ...request.headers },
    ...(request.body !== null && { body: request.body }),
    connections: load.connections,
    duration: 86_400, // it is stopped below, long before this
    timeout: load.timeoutS,
    sampleInt: TICK_MS,
    setupClient: (client: Client) => connections.push(correct(client, listener)),
    verifyBody: (bytes: string) => {
      if (isToCheck) run.checked(isRight(bytes) ? null : textOf(bytes));
      return true;
    },
  } as autocannon.Options, (error: unknown) => error ? ended.reject(error) : ended.resolve());
  instance.on("response", (_client, status, bytes, ms) => {
    // The body comes next. By then the response may have opened or closed the window.
    const counts = run.answered(status, bytes, ms);
    isToCheck = expected !== null && counts && status >= 200 && status < 300;
  });
  instance.on("reqError", ({ message }: Error) => {
    run.failed(message === "request timed out" ? "timeout" : "transport");
  });
  await run.closed;
  for (const connection of connections) connection.halt();
  const lateMs = performance.now() + DRAIN_MS;
  while (connections.some(({ isIdle }) => !isIdle) && performance.now() < lateMs) {
    await pause(STEP_MS);
  }
  await pause(WATCH_MS);
  instance.stop();
  await ended.promise;
  return run.result();
}

function comparison(expected: LoadJob["expected"]): (bytes: string) => boolean {
  if (expected === null) return () => true;
  if ("matches" in expected) {
    const pattern = new RegExp(expected.matches);
    return (bytes) => pattern.test(textOf(bytes));
  }
  // One character per byte, as autocannon's bodies: fast to make and to compare
  const same = Buffer.from(expected.same).toString("latin1");
  return (bytes) => bytes === same;
}

function textOf(bytes: string): string {
  // deno-lint-ignore no-control-regex -- everything outside ASCII
  return /[^\x00-\x7f]/.test(bytes) ? Buffer.from(bytes, "latin1").toString() : bytes;
}

if (import.meta.main) await serveJobs(load);
