/** What autocannon's connections lack for exact measurements. */
import type { Client } from "autocannon";
import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";

/**
 * Corrects one connection of autocannon 9.
 *
 * - If the server closes a connection, autocannon connects again without an event, and takes the next answer for
 *   the lost one; if the server announced it, autocannon still sends a request, which is then lost.
 * - autocannon sends the next request as soon as it has read an answer, and Deno reads up to 32 times from one
 *   connection before it turns to the next one. If the server answers before the next of these reads, one
 *   connection gets 32 answers in a row while the others wait: most latencies are then a fraction of the mean.
 *   So requests are sent once all connections that had an answer have been read.
 *
 * @param onReconnect hears of every connection that is opened again
 */
export function mend(client: Client, onReconnect: (wasAnnounced: boolean) => void): void {
  const internals = client as unknown as {
    conn: Socket;
    _connect(): void;
    _doRequest(): void;
    _resetConnection(): void;
    pipelinedRequests: { clear(): void; addBody(chunk: Buffer): void; peek(): { body: string } };
    parser: { initialize(type: "RESPONSE"): void };
  };
  // By itself it takes each chunk for text, and a character may lie on the edge of two.
  internals.pipelinedRequests.addBody = function (chunk): void {
    const request = this.peek();
    if (request) request.body += chunk.toString("latin1");
  };
  let isClosing = false;
  client.on(
    "headers",
    (({ shouldKeepAlive }: { shouldKeepAlive: boolean }) => {
      isClosing = !shouldKeepAlive;
    }) as never,
  );
  const request = internals._doRequest;
  internals._doRequest = function (): void {
    if (isClosing) this._resetConnection();
    else request.call(this);
  };
  const connect = internals._connect;
  let first = true;
  internals._connect = function (): void {
    if (!first) {
      internals.pipelinedRequests.clear();
      internals.parser.initialize("RESPONSE"); // it may have been in the middle of an answer
      onReconnect(isClosing);
    }
    first = isClosing = false;
    connect.call(this);
    const { conn } = this;
    const write = conn.write;
    conn.write = ((bytes: Buffer) => {
      sendLater(() => conn.destroyed || write.call(conn, bytes));
      return true;
    }) as typeof write;
  };
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
