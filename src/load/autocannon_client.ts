/** Corrects errors of autocannon's connections. */
import type { Client } from "autocannon";
import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";
import { LONGEST_BODY } from "../model/body.ts";

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

/** Receives the events of a connection that autocannon itself does not report. */
export interface ConnectionListener {
  /**
   * Reports that the connection was reopened.
   *
   * @param wasAnnounced whether the server had announced the close
   */
  reconnected(wasAnnounced: boolean): void;
  /** Reports bytes that are not a response to any request. */
  surplus(): void;
}

/**
 * Corrects five errors of one autocannon connection:
 * - If the server closes the connection, autocannon reconnects without notice. It counts the next
 *   response as the response to the lost request.
 * - If the server announces the close, autocannon still sends the next request, which is lost.
 * - It counts interim responses (1xx) as final.
 * - It counts a surplus response as the response to the next request.
 * - It sends the next request as soon as it has read a response, so some connections wait for
 *   others.
 *
 * The reason for the last error is that Deno reads up to 32 times from one connection before it
 * reads from the next. One connection then gets 32 responses in a row, and most latencies are a
 * fraction of the mean. This class therefore sends requests only after all connections have been
 * read.
 */
export class AutocannonConnection {
  readonly #client: Internals;
  readonly #listener: ConnectionListener;
  #isHalted = false;
  #isOpen = false;
  /** Whether the server has announced that it will close the connection. */
  #isClosing = false;
  /**
   * Whether the current chunk has completed the response. Further bytes in it are surplus, because the
   * next request is sent after this chunk.
   */
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

  /** Stops sending. */
  halt(): void {
    this.#isHalted = true;
  }

  /** Whether no request is in flight. */
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
      // resetting must wait until the parser has returned
      queueMicrotask(() => this.#client._resetConnection());
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
        // An error of the old connection would replace the new one
        client._destroyConnection();
        client.parser.initialize("RESPONSE"); // the parser may have stopped within a response
        this.#listener.reconnected(this.#isClosing);
      } else this.#patchParser(); // autocannon has set the parser's handlers by now
      this.#isOpen = true;
      this.#isClosing = false;
      connect.call(client);
      const { conn } = client;
      const write = conn.write;
      conn.write = ((bytes: Buffer) => {
        sendLater(() => conn.destroyed || write.call(conn, bytes));
        return true;
      }) as typeof write;
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
