/** What autocannon's connections lack for exact measurements. */
import type { Client } from "autocannon";
import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";
import { LONGEST_BODY } from "../model/body.ts";

/** The only 1xx status that is final. */
const SWITCHED = 101;

/** What autocannon does not show of a client. */
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

/** Hears what autocannon does not tell of a connection. */
export interface ConnectionListener {
  /** It was opened again; the server may have said that it would close the one before. */
  reconnected(wasAnnounced: boolean): void;
  /** Bytes came that no request asked for. */
  surplus(): void;
}

/**
 * One of autocannon's connections, with what autocannon gets wrong put right.
 *
 * A connection that the server closes makes autocannon connect anew without a word, and take the next answer for the
 * lost one; one that the server says it will close gets the next request all the same, which is then lost. A 1xx
 * response counts as the final one, and a response that no request asked for as that to the next request.
 *
 * autocannon sends the next request as soon as it has read an answer, and Deno reads up to 32 times from one
 * connection before it turns to the next one. If the server answers before the next of these reads, one connection
 * gets 32 answers in a row while the others wait: most latencies are then a fraction of the mean. So requests are
 * sent once all connections that had an answer have been read.
 */
export class Connection {
  readonly #client: Internals;
  readonly #listener: ConnectionListener;
  #isHalted = false;
  #isOpen = false;
  /** Whether the server has said that it closes. */
  #isClosing = false;
  /** Whether nothing more is due in the bytes that came together: the next request is sent after them. */
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
    // By itself it takes each chunk for text, and a character may lie on the edge of two.
    requests.addBody = (chunk) => {
      const request = requests.peek();
      if (request) request.body += chunk.toString("latin1");
      if ((request?.body.length ?? 0) <= LONGEST_BODY) return;
      requests.clear();
      queueMicrotask(() => this.#client._resetConnection()); // the parser is at work until then
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
        client.parser.initialize("RESPONSE"); // it may have been in the middle of an answer
        this.#listener.reconnected(this.#isClosing);
      } else this.#patchParser(); // which has its handlers by now
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
      } // Any other is an interim answer, which the real one follows
    };
  }
}

/** What is sent in this turn of the event loop, after everything has been read. */
let unsent: (() => void)[] = [];

function sendLater(send: () => void): void {
  if (unsent.push(send) > 1) return;
  setImmediate(() => {
    const all = unsent;
    unsent = [];
    for (const one of all) one();
  });
}
