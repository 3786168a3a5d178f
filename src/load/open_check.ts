/** Compares a generator's open loop with queueing theory. */
import type { OpenCheck } from "../model/derived.ts";
import type { Load, OpenLoad } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import type { HttpResponse } from "../model/scenario.ts";
import type { ProcessScope } from "../process/scope.ts";
import { quantileIsKnown } from "../stats/confidence_interval.ts";
import { ONE_BY_ONE } from "./driver/load_client.ts";
import { arrivalsOf, paceOf } from "./metronome.ts";
import { startNullServer } from "./null_server.ts";
import type { RunningGenerator } from "./running.ts";

/** Target utilisation of the server: it computes for half of the time. */
const UTILISATION = 0.5;
/** Maximum service time in µs: at 100 requests per second, half of the server's time. */
const LONGEST_SERVICE_US = 5000;
/** Length of the window that is compared with queueing theory, in seconds. */
const CHECK_S = 2;
/** Number of connections that keep the server busy all the time. */
const BUSY_CONNECTIONS = 8;
/** Load of the windows that measure the server. */
const CALIBRATION = {
  shards: 1,
  warmupS: 0.3,
  mostWarmupS: 0.3,
  durationS: 0.5,
  responses: null,
  timeoutS: 10,
  open: null,
};
const RESPONSE: HttpResponse = {
  status: 200,
  headers: new Headers({ "content-type": "text/plain;charset=UTF-8" }),
  text: "Hello world",
};
const REQUEST = { method: "GET", path: "/", headers: {}, body: null } as const;

const QUANTILES = { p50Us: 0.5, p90Us: 0.9, p99Us: 0.99 };
type Quantile = keyof typeof QUANTILES;

/**
 * Compares a generator's open loop with queueing theory. Takes four seconds.
 *
 * The server handles one request at a time and computes equally long for each. The rate is at most
 * about half of what it can handle, so the wait of each arrival can be computed. With Poisson
 * arrivals it is the queue M/D/1 (https://en.wikipedia.org/wiki/M/D/1_queue).
 *
 * @param run the parts of a run; `cpus` are the processors that the server may use, null: all
 * @param connections the most that may be open at once
 * @returns the expected and the measured quantiles, in µs.
 * @throws {Failure} if the measurement fails.
 */
export async function checkOpenLoop(
  run: {
    readonly scope: ProcessScope;
    readonly generator: RunningGenerator;
    readonly cpus: readonly number[] | null;
  },
  open: OpenLoad,
  connections: number,
  abort: AbortSignal,
): Promise<OpenCheck> {
  const targetServiceUs = Math.min(1e6 * UTILISATION / open.perS, LONGEST_SERVICE_US);
  await using server = await startNullServer(run.scope, RESPONSE, run.cpus, targetServiceUs);
  const measure = (load: Pick<Load, "connections"> & Partial<Load>): Promise<Measurement> => {
    const talk = { request: REQUEST, expected: { same: RESPONSE.text }, ...ONE_BY_ONE };
    const job = { origin: server.origin, ...talk, load: { ...CALIBRATION, ...load } };
    return run.generator.measure(job, abort);
  };
  const busy = await measure({ connections: BUSY_CONNECTIONS });
  const serviceUs = 1e6 * busy.durationS / Math.max(1, busy.statuses["200"] ?? 0);
  const { latency } = await measure({ connections: 1 });
  const aloneUs = latency?.p50Us ?? 0;
  const { open: record } = await measure({ connections, durationS: CHECK_S, open });
  const offered = record?.offered ?? 0;
  const waitsUs = expectedWaitsUs(open, serviceUs);
  const known = (value: (key: Quantile) => number | null | undefined): OpenCheck["found"] => {
    const of = (key: Quantile): number | null =>
      quantileIsKnown(offered, QUANTILES[key]) ? value(key) ?? null : null;
    return { p50Us: of("p50Us"), p90Us: of("p90Us"), p99Us: of("p99Us") };
  };
  return {
    perS: open.perS,
    arrivals: open.arrivals,
    serviceUs,
    aloneUs,
    offered,
    expected: known((key) => {
      const waitUs = waitsUs[Math.floor(QUANTILES[key] * waitsUs.length)];
      return waitUs === undefined ? null : waitUs + aloneUs;
    }),
    found: known((key) => record?.responseTime?.[key]),
  };
}

/** Returns the sorted waiting times in the checked window; all in µs. */
function expectedWaitsUs(open: OpenLoad, serviceUs: number): number[] {
  const fromMs = 1000 * CALIBRATION.warmupS;
  const toMs = 1000 * (CALIBRATION.warmupS + CHECK_S);
  const arrivalsMs: number[] = [];
  for (const atMs of arrivalsOf(paceOf(open))) {
    if (atMs > toMs) break;
    arrivalsMs.push(atMs);
  }
  return waitsOf(arrivalsMs, serviceUs / 1000)
    .filter((_wait, i) => (arrivalsMs[i] ?? 0) >= fromMs)
    .map((waitMs) => 1000 * waitMs)
    .sort((a, b) => a - b);
}

/** Returns the wait of each arrival by Lindley's recursion: https://en.wikipedia.org/wiki/Lindley_equation */
export function waitsOf(arrivals: Iterable<number>, service: number): number[] {
  let freeAt = -Infinity;
  return Array.from(arrivals, (at) => {
    const wait = Math.max(0, freeAt - at);
    freeAt = at + wait + service;
    return wait;
  });
}
