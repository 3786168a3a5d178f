import { ClosedLoop, type ClosedLoopOptions } from "../../load/driver/closed_loop.ts";
import { encodeRequest } from "../../load/driver/head.ts";
import { ONE_BY_ONE } from "../../load/driver/load_client.ts";
import { Metronome } from "../../load/metronome.ts";
import { PacedClient, type PacedRequest } from "../../load/paced_client.ts";
import type { Facts, HttpRequest, Scenario } from "../../model/scenario.ts";
import { addressOf } from "../../process/connect.ts";
import { pause } from "../../process/pause.ts";

/**
 * Time between two requests, in milliseconds. It resolves recovery times to 20 ms and adds only 50 requests a
 * second.
 */
export const INTERVAL_MS = 20;
/** Maximum number of the monitor's connections. */
export const MOST_CONNECTIONS = 20;
/** Timeout of a request, in milliseconds. A response after it counts as late. */
export const TIMEOUT_MS = 1000;
/** Number of consecutive right and quick responses that count as recovered. */
const RECOVERED_IN_A_ROW = 10;
/**
 * Allowance for a quick response, in milliseconds. A response is quick if it takes at most twice
 * the slowest one before the fault, plus this allowance.
 */
const QUICK_MS = 50;

/** Outcome of one request. */
export interface Reply {
  /** Scheduled send time, in milliseconds of the metronome's clock. */
  readonly dueMs: number;
  /** Milliseconds from the scheduled send time until Stampede noticed that the request was due. */
  readonly noticedMs: number;
  /** Milliseconds from the scheduled send time to the response; null without a response. */
  readonly tookMs: number | null;
  /** The problem: a status, "wrong", "late" or "nothing"; null for a right response in time. */
  readonly got: string | null;
}

/** Requests one scenario fifty times a second, whether or not earlier requests were answered. */
export class Monitor implements Disposable {
  readonly #metronome: Metronome = new Metronome();
  readonly #client: PacedClient;
  readonly #expect: (request: PacedRequest) => string | null;
  #replies: Reply[] = [];

  constructor(
    origin: string,
    { request, expect }: Scenario,
    { facts, connections }: { readonly facts: Facts; readonly connections: number },
  ) {
    const options = { origin, request, connections, timeoutMs: TIMEOUT_MS };
    this.#client = new PacedClient(this.#metronome, options);
    this.#expect = ({ response, due, done }) => {
      if (response === null || done === null) return "nothing";
      try {
        expect(response, facts);
      } catch {
        return response.status >= 200 && response.status < 300 ? "wrong" : String(response.status);
      }
      return done - due > TIMEOUT_MS ? "late" : null;
    };
    this.#client.start(INTERVAL_MS, (request) => this.#take(request));
  }

  #take(request: PacedRequest): void {
    const { due: dueMs, noticed, done } = request;
    const tookMs = done === null ? null : done - dueMs;
    this.#replies.push({ dueMs, noticedMs: noticed - dueMs, tookMs, got: this.#expect(request) });
  }

  /** Stops sending. Pending requests count as unanswered. */
  stop(): void {
    for (const request of this.#client.stop()) this.#take(request);
  }

  /**
   * Returns the requests that were scheduled within a period, in the order of their scheduled send
   * times.
   */
  between(fromMs: number, toMs: number): Reply[] {
    return this.#replies.filter(({ dueMs }) => dueMs >= fromMs && dueMs < toMs)
      .sort((a, b) => a.dueMs - b.dueMs);
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
    this.#metronome[Symbol.dispose]();
  }
}

/**
 * Returns the time at which the server has recovered: the start of the first run of `RECOVERED_IN_A_ROW`
 * right responses. Each must be quick (see {@linkcode QUICK_MS}), and none may be missing.
 *
 * @param replies in the order of their scheduled send times
 * @param calm replies from before the fault
 * @returns milliseconds, on the clock of the scheduled send times; null if the server has not recovered
 */
export function wellAgain(replies: readonly Reply[], calm: readonly Reply[]): number | null {
  const quickMs = 2 * Math.max(...calm.map(({ tookMs }) => tookMs ?? 0)) + QUICK_MS;
  let streak: Reply[] = [];
  for (const reply of replies) {
    const before = streak.at(-1)?.dueMs ?? reply.dueMs;
    const isMissing = reply.dueMs - before > 1.5 * INTERVAL_MS;
    const isWell = reply.got === null && (reply.tookMs ?? Infinity) <= quickMs;
    streak = isWell ? [...isMissing ? [] : streak, reply] : [];
    if (streak.length === RECOVERED_IN_A_ROW) return streak[0]?.dueMs ?? null;
  }
  return null;
}

/** The request to send, its address, and the maximum number of connections. */
export interface Demand {
  readonly origin: string;
  readonly request: HttpRequest;
  /** Maximum number of open connections. */
  readonly most: number;
}

/** Options for sending requests faster than the server can answer. */
export interface RequestFloodOptions extends Demand {
  readonly perS: number;
  readonly durationS: number;
  /** Whether clients disconnect right after sending the request, without waiting for the response. */
  readonly leaves: boolean;
}

/** Interval of the sending loop, in milliseconds. */
const STEP_MS = 5;
/** Warm-up before the measurement of a rate in a closed loop, in milliseconds. */
const WARM_UP_MS = 300;
/**
 * Minimum duration of the measurement of a rate in a closed loop, in milliseconds. A slow server gets up to
 * ten times as long.
 */
const MEASURED_MS = 700;
/**
 * Number of connections that measure the rate in a closed loop. Ten keep one processor busy if a response
 * needs CPU time for at least a tenth of its duration. For the rest, it may wait, for example for the
 * database.
 */
const CONNECTIONS = 10;

/**
 * Measures the rate that a server reaches in a closed loop.
 *
 * @returns successful responses per second; 0 if there are none
 */
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
export async function churn(
  { origin, request, most, durationS }: Demand & { readonly durationS: number },
): Promise<void> {
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

/**
 * Sends requests at a constant rate, each over a new connection, without waiting for responses.
 *
 * @returns the number of requests sent
 */
export async function floodRequests(options: RequestFloodOptions): Promise<number> {
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

/**
 * Runs one client: it sends a request and reads until the server closes the connection or the timeout
 * expires.
 *
 * @returns whether the request was sent
 */
async function visit(
  { origin, leaves }: RequestFloodOptions,
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

/** A job for the process of the hostile clients. */
export type HostileClientsJob =
  | ({ readonly kind: "closed-loop" } & Demand)
  | ({ readonly kind: "churn"; readonly durationS: number } & Demand)
  | ({ readonly kind: "flood" } & RequestFloodOptions);
