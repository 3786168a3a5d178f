import type { OpenCheck } from "../model/derived.ts";
import type { Load, OpenLoad } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { ProcessScope } from "../process/scope.ts";
import { quantileIsKnown } from "../stats/confidence_interval.ts";
import { arrivalsOf } from "./arrivals.ts";
import { ONE_BY_ONE } from "./driver/load_client.ts";
import { paceOf } from "./driver/open_window.ts";
import type { WindowJob } from "./generator.ts";
import { startNullServer } from "./null_server.ts";
import type { RunningGenerator } from "./running.ts";

/**
 * Returns the waiting time of each arrival at a server that serves one arrival after the other. The service
 * time is constant. With Poisson arrivals, this is the queue M/D/1. Uses Lindley's recursion:
 * https://en.wikipedia.org/wiki/Lindley_equation
 *
 * @param arrivals arrival times, in order
 * @param service service time of each arrival, in the same unit
 */
export function waitsOf(arrivals: Iterable<number>, service: number): number[] {
  const waits: number[] = [];
  let freeAt = -Infinity;
  for (const at of arrivals) {
    const wait = Math.max(0, freeAt - at);
    waits.push(wait);
    freeAt = at + wait + service;
  }
  return waits;
}

/** Target utilisation of the server: it computes for half of the time. */
const UTILISATION = 0.5;
/**
 * Maximum time that the server computes for each response, in µs: the service time of queueing theory. A rate
 * below 100 requests per second therefore needs less than half of the server's time.
 */
const LONGEST_SERVICE_US = 5000;
/**
 * Length of two windows, in seconds. One measures the time that the server computes for each response, the
 * other the response time of a single connection.
 */
const CALIBRATION_S = 0.5;
/** Length of each warm-up, in seconds. */
const WARMUP_S = 0.3;
/** Length of the window that is compared with queueing theory, in seconds. */
const CHECK_S = 2;
/** Number of connections that keep the server busy all the time. */
const BUSY_CONNECTIONS = 8;
const RESPONSE: HttpResponse = {
  status: 200,
  headers: new Headers({ "content-type": "text/plain;charset=UTF-8" }),
  text: "Hello world",
};
const REQUEST = { method: "GET", path: "/", headers: {}, body: null } as const;

/** The parts of a run that the check uses. */
export interface OpenCheckContext {
  readonly scope: ProcessScope;
  readonly generator: RunningGenerator;
  /** Processors that the server may use; null: all. */
  readonly cpus: readonly number[] | null;
}

/**
 * Compares a generator's open loop with queueing theory.
 *
 * The server handles one request at a time and computes equally long for each. The rate is at most about half
 * of what the server can handle. The waiting time of each arrival can therefore be computed. With Poisson
 * arrivals the server is the queue M/D/1 (https://en.wikipedia.org/wiki/M/D/1_queue). Takes four seconds.
 *
 * @param connections the most that may be open at once
 * @returns the expected and the measured quantiles, in µs.
 * @throws {Failure} if the measurement fails.
 */
export async function checkOpenLoop(
  { scope, generator, cpus }: OpenCheckContext,
  open: OpenLoad,
  connections: number,
  abort: AbortSignal,
): Promise<OpenCheck> {
  const targetServiceUs = Math.min(1e6 * UTILISATION / open.perS, LONGEST_SERVICE_US);
  await using server = await startNullServer(scope, RESPONSE, cpus, targetServiceUs);
  const load: Load = {
    connections,
    shards: 1,
    warmupS: WARMUP_S,
    mostWarmupS: WARMUP_S,
    durationS: CALIBRATION_S,
    responses: null,
    timeoutS: 10,
    open: null,
  };
  const measure = (change: Partial<Load>): Promise<Measurement> => {
    const job: WindowJob = {
      origin: server.origin,
      request: REQUEST,
      ...ONE_BY_ONE,
      load: { ...load, ...change },
      body: { same: RESPONSE.text },
    };
    return generator.measure(job, abort);
  };
  const busy = await measure({ connections: BUSY_CONNECTIONS });
  const serviceUs = 1e6 * busy.durationS / Math.max(1, busy.statuses["200"] ?? 0);
  const alone = await measure({ connections: 1 });
  const aloneUs = alone.latency?.p50Us ?? 0;
  const { open: record } = await measure({ durationS: CHECK_S, open });
  const offered = record?.offered ?? 0;
  const known = (value: number | null | undefined, p: number): number | null =>
    value !== null && value !== undefined && quantileIsKnown(offered, p) ? value : null;
  const theory = expectedUs(open, serviceUs, aloneUs);
  return {
    perS: open.perS,
    arrivals: open.arrivals,
    serviceUs,
    aloneUs,
    offered,
    expected: {
      p50Us: known(theory(0.5), 0.5),
      p90Us: known(theory(0.9), 0.9),
      p99Us: known(theory(0.99), 0.99),
    },
    found: {
      p50Us: known(record?.responseTime?.p50Us, 0.5),
      p90Us: known(record?.responseTime?.p90Us, 0.9),
      p99Us: known(record?.responseTime?.p99Us, 0.99),
    },
  };
}

/**
 * Computes the response times of the arrivals in the checked window by queueing theory.
 *
 * @param serviceUs time that the server computes for each response, in µs
 * @param aloneUs response time of a request that does not wait for others, in µs
 * @returns a function that returns a quantile in µs; null if there is no arrival
 */
function expectedUs(
  open: OpenLoad,
  serviceUs: number,
  aloneUs: number,
): (p: number) => number | null {
  const arrivalsMs: number[] = [];
  for (const atMs of arrivalsOf(paceOf(open))) {
    if (atMs > 1000 * (WARMUP_S + CHECK_S)) break;
    arrivalsMs.push(atMs);
  }
  const waitsUs = waitsOf(arrivalsMs, serviceUs / 1000)
    .filter((_wait, i) => (arrivalsMs[i] ?? 0) >= 1000 * WARMUP_S)
    .map((waitMs) => 1000 * waitMs)
    .sort((a, b) => a - b);
  return (p) => {
    const waitUs = waitsUs[Math.floor(p * waitsUs.length)];
    return waitUs === undefined ? null : waitUs + aloneUs;
  };
}
