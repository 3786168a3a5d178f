/** Clients that harm a server. They run in a separate process, so they do not delay the monitor. */
import { ClosedLoop, type ClosedLoopOptions } from "../../load/driver/closed_loop.ts";
import { encodeRequest, ONE_BY_ONE } from "../../load/driver/load_client.ts";
import { denoRun, type LineProgram, OPENED, serveJobs } from "../../load/generator.ts";
import { Shard } from "../../load/shard.ts";
import { Failure } from "../../model/errors.ts";
import type { HttpRequest } from "../../model/scenario.ts";
import type { OneOf } from "../../model/schema.ts";
import { addressOf } from "../../process/connect.ts";
import { pause } from "../../process/pause.ts";
import type { ProcessScope } from "../../process/scope.ts";

/** The request to send, its address, and the maximum number of open connections. */
interface Demand {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly most: number;
}

type Churn = Demand & { readonly durationS: number };
/** Requests faster than the server can answer; if `leaves`, clients do not wait for the response. */
type Flood = Churn & { readonly perS: number; readonly leaves: boolean };
type HostileJob = OneOf<{ "closed-loop": Demand; churn: Churn; flood: Flood }>;

/** Seconds that a job may take longer than planned: the start of the process and slow responses. */
const SLACK_S = 20;

const PROGRAM: LineProgram<HostileJob, number> = {
  id: "stampede",
  command: () => denoRun(new URL(import.meta.url)),
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const reply: unknown = JSON.parse(line);
    if (typeof reply !== "number") throw new SyntaxError("not a number");
    return reply;
  },
};

/** The process of the clients. */
export class HostileClients extends Shard<HostileJob, number> {
  constructor(scope: ProcessScope) {
    super(scope, PROGRAM, null);
  }

  /**
   * Runs one job. Returns the rate of a closed loop in responses per second (throws a `Failure` if it is
   * 0), or the number of a flood's requests. Calls `begin` before the first request of other loads.
   */
  async run(job: HostileJob, abort: AbortSignal, begin = (): void => {}): Promise<number> {
    const limitS = SLACK_S + (job.kind === "closed-loop" ? 0 : job.durationS);
    const listener = { opened: begin, closed: (): void => {} };
    const result = await this.measure(job, { limitS, abort, listener });
    if (job.kind === "closed-loop" && result === 0) {
      throw new Failure(`The server answered no request for ${job.request.path} under load`);
    }
    return result;
  }
}

/** Timeout of the requests of a flood, in milliseconds. */
const TIMEOUT_MS = 1000;
/** Interval of the sending loop, in milliseconds. */
const STEP_MS = 5;
/** Warm-up before the measurement of a rate in a closed loop, in milliseconds. */
const WARM_UP_MS = 300;
/** Minimum duration of that measurement, in milliseconds; a slow server gets ten times as long. */
const MEASURED_MS = 700;
/** Connections of that measurement: they fill a processor even if responses wait 90 % of the time. */
const CONNECTIONS = 10;

/** Returns the rate that a server reaches in a closed loop, in successful responses per second. */
export async function closedLoopRate({ origin, request, most }: Demand): Promise<number> {
  let responses = 0;
  const connections = Math.min(CONNECTIONS, most);
  using loop = closedLoop({ origin, request, connections, timeoutS: 5 }, (status) => {
    if (status >= 200 && status < 300) responses++;
  });
  loop.start();
  await pause(WARM_UP_MS);
  const before = responses;
  const startedMs = performance.now();
  // Slow servers get more time, so that at least some responses are counted.
  while (performance.now() - startedMs < MEASURED_MS || responses - before < CONNECTIONS) {
    await pause(STEP_MS);
    if (performance.now() - startedMs > 10 * MEASURED_MS) break;
  }
  return 1000 * (responses - before) / (performance.now() - startedMs);
}

/** Sends requests in a closed loop, each over a new connection. */
export async function churn({ origin, request, most, durationS }: Churn): Promise<void> {
  const options = { origin, request: closing(request), connections: most, timeoutS: 1 };
  using loop = closedLoop(options, () => {});
  loop.start();
  await pause(1000 * durationS);
}

function closedLoop(
  options: Omit<ClosedLoopOptions, "expected" | keyof typeof ONE_BY_ONE>,
  answered: (status: number) => void,
): ClosedLoop {
  return new ClosedLoop({ ...options, ...ONE_BY_ONE, expected: null }, {
    answered: ({ status }) => answered(status),
    failed: () => {},
    reconnected: () => {},
  });
}

function closing(request: HttpRequest): HttpRequest {
  return { ...request, headers: { ...request.headers, connection: "close" } };
}

/** Sends requests at a constant rate, each over a new connection. Returns the number sent. */
export async function floodRequests(options: Flood): Promise<number> {
  const { origin, request, perS, durationS, most } = options;
  const bytes = encodeRequest(origin, closing(request));
  const open = new Set<Promise<unknown>>();
  let [begun, sent] = [0, 0];
  const startedMs = performance.now();
  for (;;) {
    const elapsedS = (performance.now() - startedMs) / 1000;
    const due = Math.floor(perS * Math.min(elapsedS, durationS));
    while (begun < due && open.size < most) {
      const client = visit(options, bytes).then((isSent) => {
        if (isSent) sent++;
        open.delete(client);
      });
      open.add(client);
      begun++;
    }
    if (elapsedS >= durationS) break;
    await pause(STEP_MS);
  }
  await Promise.all(open);
  return sent;
}

/** Sends a request, and reads until the server closes or time is up. Returns whether it was sent. */
async function visit(
  { origin, leaves }: Flood,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { hostname, port } = addressOf(origin);
  let connection: Deno.TcpConn | null = null;
  let [isOver, isSent] = [false, false];
  const leave = (): void => {
    isOver = true;
    try {
      connection?.close();
    } catch {
      // It was closed already.
    }
  };
  const timer = setTimeout(leave, TIMEOUT_MS);
  try {
    connection = await Deno.connect({ hostname, port });
    if (isOver) return false;
    await connection.write(bytes);
    isSent = true;
    if (leaves) return true;
    const received = new Uint8Array(64 * 1024);
    while (await connection.read(received) !== null);
  } catch {
    // The outcome does not matter here: the monitor counts errors.
  } finally {
    clearTimeout(timer);
    leave();
  }
  return isSent;
}

if (import.meta.main) {
  await serveJobs(async (job: HostileJob, say): Promise<number> => {
    if (job.kind === "closed-loop") return await closedLoopRate(job);
    say(OPENED);
    if (job.kind === "flood") return await floodRequests(job);
    await churn(job);
    return 0;
  });
}
