/**
 * The process that loads with autocannon: reads one job a line, answers one measurement a line.
 *
 * Only autocannon's driving is used. Its own figures are not: its latencies are whole milliseconds,
 * its rate counts every status and ends with a tick of its clock rather than with the window.
 */
import autocannon from "autocannon";
import type { Client, Instance } from "autocannon";
import { Buffer } from "node:buffer";
import type { Measurement } from "../model/raw.ts";
import type { LoadJob } from "./generator.ts";
import { answerJobs, say } from "./jobs.ts";
import { WindowRun } from "./window_run.ts";

/** autocannon looks for the end of a run only this often. */
const TICK_MS = 50;

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
      watchConnections(client, (wasAnnounced) => window.reconnected(wasAnnounced)),
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
  instance.stop();
  await ended.promise;
  return run.result();
}

/**
 * Tells of every connection that is opened again. A connection that the server closes makes
 * autocannon connect anew without a word, and take the next answer for the lost one; one that the
 * server says it will close gets the next request all the same, which is then lost.
 */
function watchConnections(client: Client, onReconnect: (wasAnnounced: boolean) => void): void {
  const internals = client as unknown as {
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
  };
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
