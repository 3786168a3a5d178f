/**
 * The process that loads with autocannon: reads one job a line, answers one measurement a line.
 *
 * Only autocannon's driving is used. Its own figures are not: its latencies are whole milliseconds,
 * its rate counts every status and ends with a tick of its clock rather than with the window.
 */
import autocannon from "autocannon";
import type { Client, Instance } from "autocannon";
import { Buffer } from "node:buffer";
import { TextLineStream } from "../process/lines.ts";
import { CLOSED, type LoadJob, OPENED } from "./generator.ts";
import { WindowRecorder } from "./window.ts";

/** How much longer than planned a window of whole cycles may take. */
const PATIENCE = 3;
/** autocannon looks for the end of a run only this often. */
const TICK_MS = 50;

function run(job: LoadJob): Promise<unknown> {
  const { load, request, body } = job;
  const window = new WindowRecorder();
  const pattern = body !== null && "matches" in body ? new RegExp(body.matches) : null;
  const same = body !== null && "same" in body ? bytesAsText(body.same) : null;
  const isRight = (bytes: string): boolean =>
    same === null ? pattern?.test(textOf(bytes)) ?? false : bytes === same;

  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    let isToCheck = false;
    let wave = false;
    const finish = (): void => {
      clearTimeout(timer);
      window.close();
      say(CLOSED);
      instance.stop();
    };
    const openWindow = (): void => {
      clearTimeout(timer); // whichever waited for the window to open
      window.open();
      say(OPENED);
      const limitS = load.durationS * (load.answers === null ? 1 : PATIENCE);
      timer = setTimeout(finish, limitS * 1000);
    };

    const instance: Instance = autocannon({
      url: job.origin + request.path,
      method: request.method as "GET",
      headers: { ...request.headers },
      ...(request.body !== null && { body: request.body }),
      connections: load.connections,
      duration: 86_400, // ended by `finish`
      timeout: load.timeoutS,
      sampleInt: TICK_MS,
      setupClient: (client: Client) =>
        watchConnections(client, (wasAnnounced) => window.reconnected(wasAnnounced)),
      verifyBody: (bytes: string) => {
        if (isToCheck) window.checked(isRight(bytes) ? null : textOf(bytes));
        return true;
      },
    } as autocannon.Options, (error: unknown) => error ? reject(error) : resolve(window.result()));

    instance.on("response", (_client, status, bytes, ms) => {
      // Its body comes next; by then this answer may have opened or closed the window.
      isToCheck = body !== null && window.isOpen && status >= 200 && status < 300;
      window.answered(status, bytes, ms);
      if (window.isOpen) {
        if (load.answers !== null && window.answers >= load.answers) finish();
      } else if (wave) {
        // The first answer after the warm-up opens a window of whole cycles.
        wave = false;
        openWindow();
      }
    });
    instance.on("reqError", (error: Error) => window.failed(error));
    timer = setTimeout(() => {
      if (load.answers === null) {
        openWindow();
      } else {
        wave = true;
        timer = setTimeout(() => {
          openWindow(); // No answer came to open it: an empty window says so.
          finish();
        }, load.timeoutS * 1000);
      }
    }, Math.max(0, job.opensAtMs - Date.now()));
  });
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

function say(line: string): void {
  // deno-lint-ignore no-console -- its standard output is its answer
  console.log(line);
}

const jobs = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
for await (const line of jobs) {
  say(JSON.stringify(await run(JSON.parse(line))));
}
