/**
 * The process that loads with autocannon: reads one job a line, answers one measurement a line.
 *
 * Only autocannon's driving is used. Its own figures are not: its latencies are whole milliseconds,
 * its rate counts every status and ends with a tick of its clock rather than with the window.
 */
import autocannon from "autocannon";
import type { Client, Instance } from "autocannon";
import { Buffer } from "node:buffer";
import { LONGEST_BODY } from "../model/body.ts";
import type { Measurement } from "../model/raw.ts";
import { pause } from "../process/pause.ts";
import type { LoadJob } from "./generator.ts";
import { answerJobs, say } from "./jobs.ts";
import { DRAIN_MS, SURPLUS, WATCH_MS } from "./surplus.ts";
import { WindowRun } from "./window_run.ts";

/** autocannon looks for the end of a run only this often. */
const TICK_MS = 50;
/** The only final status below 200. */
const SWITCHED = 101;
/** Interval between two checks for pending requests, in ms. */
const STEP_MS = 5;

async function load(job: LoadJob): Promise<Measurement> {
  const { load, request, body } = job;
  const run = new WindowRun(job, say);
  const window = run.recorder;
  const pattern = body !== null && "matches" in body ? new RegExp(body.matches) : null;
  const same = body !== null && "same" in body ? bytesAsText(body.same) : null;
  const isRight = (bytes: string): boolean =>
    same === null ? pattern?.test(textOf(bytes)) ?? false : bytes === same;
  const ended = Promise.withResolvers<void>();
  let isToCheck = false;
  const connections: Connection[] = [];
  const instance: Instance = autocannon({
    url: job.origin + request.path,
    method: request.method as "GET",
    headers: { ...request.headers },
    ...(request.body !== null && { body: request.body }),
    connections: load.connections,
    duration: 86_400, // it is stopped below
    timeout: load.timeoutS,
    sampleInt: TICK_MS,
    setupClient: (client: Client) =>
      connections.push(
        new Connection(client, {
          reconnected: (wasAnnounced) => window.reconnected(wasAnnounced),
          surplus: () => window.checked(SURPLUS),
        }),
      ),
    verifyBody: (bytes: string) => {
      if (isToCheck) window.checked(isRight(bytes) ? null : textOf(bytes));
      return true;
    },
  } as autocannon.Options, (error: unknown) => error ? ended.reject(error) : ended.resolve());
  instance.on("response", (_client, status, bytes, ms) => {
    // Its body comes next; by then this answer may have opened or closed the window.
    const counts = run.answered(status, bytes, ms);
    isToCheck = body !== null && counts && status >= 200 && status < 300;
  });
  instance.on("reqError", ({ message }: Error) => {
    window.failed(message === "request timed out" ? "timeout" : "transport");
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
  return window.result();
}

/** Private members of autocannon's client. */
interface Internals {
  _connect(): void;
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

/** Receives events of a connection that autocannon does not report. */
interface ConnectionListener {
  /** The connection was reopened. `wasAnnounced`: the server had announced the close. */
  reconnected(wasAnnounced: boolean): void;
  /** Bytes came that no request asked for. */
  surplus(): void;
}

/**
 * Corrects four errors of one autocannon connection:
 * - If the server closes it, autocannon reconnects silently and counts the next response for the lost one.
 * - If the server announces the close, autocannon still sends the next request, which is lost.
 * - It counts interim responses (1xx) as final.
 * - It counts a surplus response as the response to the next request.
 */
class Connection {
  readonly #client: Internals;
  readonly #listener: ConnectionListener;
  #isHalted = false;
  #isOpen = false;
  /** Whether the server has announced that it closes the connection. */
  #isClosing = false;
  /** Whether the current chunk may hold no further response: the next request is sent after this chunk. */
  #isAnswered = false;

  constructor(client: Client, listener: ConnectionListener) {
    this.#client = client as unknown as Internals;
    this.#listener = listener;
    client.on(
      "headers",
      (({ shouldKeepAlive }: { shouldKeepAlive: boolean }) => {
        this.#isClosing = !shouldKeepAlive;
      }) as never,
    );
    this.#patchRequests();
    this.#patchConnecting();
  }

  /** Sends nothing more. */
  halt(): void {
    this.#isHalted = true;
  }

  /** Whether no request is under way. */
  get isIdle(): boolean {
    return this.#client.pipelinedRequests.peek() === undefined;
  }

  #patchRequests(): void {
    const { pipelinedRequests: requests, _doRequest: request } = this.#client;
    // autocannon decodes each chunk separately, which breaks characters that span two chunks
    requests.addBody = (chunk) => {
      const request = requests.peek();
      if (request) request.body += chunk.toString("latin1");
      if ((request?.body.length ?? 0) <= LONGEST_BODY) return;
      requests.clear();
      queueMicrotask(() => this.#client._resetConnection()); // not while the parser runs
    };
    const { addByteCount } = requests;
    requests.addByteCount = (count) => {
      this.#isAnswered = this.isIdle;
      if (this.#isAnswered) this.#listener.surplus();
      else addByteCount.call(requests, count);
    };
    this.#client._doRequest = () => {
      if (this.#isClosing) this.#client._resetConnection();
      else if (!this.#isHalted) request.call(this.#client);
    };
  }

  #patchConnecting(): void {
    const client = this.#client;
    const connect = client._connect;
    client._connect = () => {
      if (this.#isOpen) {
        client.pipelinedRequests.clear();
        client.parser.initialize("RESPONSE"); // it may have been in the middle of an answer
        this.#listener.reconnected(this.#isClosing);
      } else this.#patchParser(); // it has its handlers now
      this.#isOpen = true;
      this.#isClosing = false;
      connect.call(client);
    };
  }

  #patchParser(): void {
    const { parser, pipelinedRequests: requests } = this.#client;
    const { kOnMessageComplete } = parser.constructor;
    const complete = parser[kOnMessageComplete] as () => void;
    parser[kOnMessageComplete] = () => {
      const request = requests.peek();
      const status = request?.headers.statusCode ?? 0;
      if (this.#isAnswered) {
        this.#listener.surplus();
        if (request) request.body = "";
      } else if (status >= 200 || status === SWITCHED) {
        this.#isAnswered = true;
        complete();
      } // An interim response: the final one follows
    };
  }
}

/** A body's bytes as a string of as many characters, as fast to make as to compare. */
function bytesAsText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** The text of a body that is such a string. */
function textOf(bytes: string): string {
  // deno-lint-ignore no-control-regex -- what is no ASCII
  return /[^\x00-\x7f]/.test(bytes) ? Buffer.from(bytes, "latin1").toString() : bytes;
}

await answerJobs(load);
