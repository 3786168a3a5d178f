/**
 * The process that generates load with autocannon: it reads one job per line and replies with one
 * measurement per line.
 *
 * autocannon only sends the requests. Its figures are not used. Its latencies are whole
 * milliseconds. Its rate counts every status, and its window ends with a tick of its clock.
 */
import autocannon from "autocannon";
import type { Client, Instance } from "autocannon";
import { Buffer } from "node:buffer";
import type { Measurement } from "../model/raw.ts";
import { pause } from "../process/pause.ts";
import { AutocannonConnection } from "./autocannon_client.ts";
import type { LoadJob } from "./generator.ts";
import { say, serveJobs } from "./jobs.ts";
import { DRAIN_MS, SURPLUS, WATCH_MS } from "./surplus.ts";
import { WindowRun } from "./window_run.ts";

/** Interval at which autocannon checks for the end of a run, in ms. */
const TICK_MS = 50;
/** Interval between two checks whether requests are still pending, in ms. */
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
  const connections: AutocannonConnection[] = [];
  const instance: Instance = autocannon({
    url: job.origin + request.path,
    method: request.method as "GET",
    headers: { ...request.headers },
    ...(request.body !== null && { body: request.body }),
    connections: load.connections,
    duration: 86_400, // it is stopped below, long before this
    timeout: load.timeoutS,
    sampleInt: TICK_MS,
    setupClient: (client: Client) =>
      connections.push(
        new AutocannonConnection(client, {
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
    // The body of this response comes next. By then the response may have opened or closed the window.
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
  return run.result();
}

/** Encodes a body as a string with one character per byte, which is fast to make and to compare. */
function bytesAsText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Decodes a body that {@linkcode bytesAsText} encoded. */
function textOf(bytes: string): string {
  // deno-lint-ignore no-control-regex -- everything outside ASCII
  return /[^\x00-\x7f]/.test(bytes) ? Buffer.from(bytes, "latin1").toString() : bytes;
}

await serveJobs(load);
