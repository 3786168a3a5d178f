import { createHash } from "node:crypto";
import { extrasOf } from "../conformance/http.ts";
import type { LoadGenerator } from "../load/generator.ts";
import { GENERATORS } from "../load/generator_list.ts";
import { absent, type Probe } from "../load/probe.ts";
import { Failure, Mismatch } from "../model/errors.ts";
import type { Trial, Variant } from "../model/experiment.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Reason } from "../model/reason.ts";
import type { HttpResponse, Scenario } from "../model/scenario.ts";
import type { Handshakes } from "../model/server.ts";
import { addressOf, connect } from "../process/connect.ts";
import { tlsInUse } from "../process/tls_client.ts";
import { median } from "../stats/median.ts";
import type { RunningServer } from "../target/launch.ts";
import { UsageMeter } from "../target/usage.ts";
import { silenceOf } from "../target/verify.ts";
import { observe } from "./generator_pool.ts";
import type { RunContext } from "./run_context.ts";
import { assertRoom, untilEnd, WrongResponse } from "./servers.ts";

/** One window to measure, with everything that the measurement needs. */
interface WindowOrder extends RunContext {
  readonly trial: Trial;
  readonly variant: Variant;
  readonly scenario: Scenario;
  readonly server: RunningServer;
}

/**
 * Verifies a scenario and measures one window of it. Throws a `Failure` if that is impossible, and a
 * {@linkcode WrongResponse} also if a check before or after the load finds surplus bytes, or interim
 * responses that the load generator cannot skip.
 */
export async function measureWindow(order: WindowOrder): Promise<WindowRecord> {
  const { trial, variant, scenario, server, servers, testbed, pool, signal } = order;
  const { origin, pid } = server;
  const { load, generator } = trial;
  const check = (one: Scenario) => servers.verify(server, one, signal);
  assertRoom(variant.server, load.connections);
  const reference = referenceUs();
  const { response, talk } = await check(scenario);
  if (response !== null) await assertNoExtras(order);
  const job = { ...talk, load };
  const hasCeiling = load.responses === null && load.open === null && trial.purpose !== "scale";
  const ceiling = hasCeiling && response !== null
    ? await pool.ceiling(generator, job, response, signal)
    : null;

  const { beside: other } = scenario;
  const besideJob = other === undefined ? null : {
    ...(await check(other.scenario)).talk,
    load: { ...load, connections: other.connections, shards: 1, open: null },
  };
  const absence = whyNoProbe(order);
  const whileRunning = untilEnd([order.server], signal);
  const endCounting = await testbed.countStatements();
  using probe = absence === null && response !== null
    ? watch(order, response, talk.expected !== null && "same" in talk.expected)
    : null;
  const observer = observe(pid, testbed.database?.process?.pid ?? null, probe);
  // Built-in generators have checked their own connections for surplus bytes.
  const isUnseen = response !== null && !generatorOf(trial).isBuiltIn;
  const failed = new AbortController();
  const whileBoth = AbortSignal.any([whileRunning, failed.signal]);
  const loads = [
    pool.measure(generator, job, whileBoth, observer),
    besideJob && pool.drive(besideJob, whileBoth),
  ] as const;
  const [measurement, beside] = await Promise.all(loads).catch(async (error) => {
    // A load that goes on would disturb the next window
    failed.abort(error);
    await Promise.allSettled(loads);
    whileRunning.throwIfAborted();
    if (isUnseen) await assertNoExtras(order, REPEAT_MS); // some generators fail on surplus bytes
    throw error;
  });
  const database = await endCounting?.() ?? null;
  // No load generator knows whether its last pending requests would have been answered.
  const silence = response && await silenceOf(origin, scenario.request, signal);
  if (silence !== null) throw new Failure(`the server did not answer after the load: ${silence}`);
  if (isUnseen) await assertNoExtras(order, REPEAT_MS);
  return {
    measurement,
    usage: observer.usage(),
    database,
    probe: probe?.record ?? absent(absence),
    ceiling,
    referenceUs: reference,
    beside,
  };
}

/** Time of repeated requests after the load, in ms: surplus bytes may follow several responses. */
const REPEAT_MS = 100;

/** Throws a `WrongResponse` if the server sends output that a generator counts as responses. */
async function assertNoExtras(
  { trial, scenario: { request }, server: { origin }, signal }: WindowOrder,
  repeatMs = 0,
): Promise<void> {
  if (tlsInUse()?.alpn === "h2") return; // each frame names its request
  const { surplusBytes, interimStatus } = await extrasOf(origin, request, signal, repeatMs);
  if (surplusBytes > 0) {
    throw new WrongResponse(
      `${surplusBytes} surplus bytes came after a response: the load generator would count them as responses`,
    );
  }
  if (interimStatus !== null && !generatorOf(trial).skipsInterim) {
    throw new WrongResponse(
      `the server sends interim responses (status ${interimStatus}), which ${trial.generator} counts as final responses: use --generator stampede or autocannon`,
    );
  }
}

function generatorOf({ generator }: Trial): LoadGenerator {
  const found = GENERATORS.find(({ id }) => id === generator);
  if (found === undefined) throw new RangeError(`There is no load generator "${generator}"`);
  return found;
}

function whyNoProbe(
  { scenario: { cycle, protocol }, variant: { server }, trial: { load } }: WindowOrder,
): Reason | null {
  if (protocol !== "http") return { kind: "messages" };
  if (load.open !== null) return { kind: "open-loop" };
  if (cycle !== null) return { kind: "responses-in-waves", every: cycle.every, waitS: cycle.waitS };
  const { maxConnections: connections } = server;
  return connections !== null && load.connections >= connections
    ? { kind: "connections-taken", connections }
    : null;
}

function watch(
  { scenario: { request, expect }, server: { origin }, testbed: { facts }, testbed }: WindowOrder,
  verified: HttpResponse,
  isSame: boolean,
): Probe {
  const type = verified.headers.get("content-type");
  return testbed.watch({
    origin,
    request,
    expect: (response) => {
      expect(response, facts);
      const got = response.headers.get("content-type");
      if (got !== type) throw new Mismatch(`content type ${type}`, String(got));
      if (isSame && response.text !== verified.text) {
        throw new Mismatch("the body that was verified", response.text.slice(0, 120));
      }
    },
  });
}

const MEBIBYTE = new Uint8Array(1 << 20);

/**
 * Returns the time for SHA-256 of a mebibyte, in microseconds: the median of nine, about 10 ms in all.
 * If it differs between two runs, so did the processor's speed, as on a shared host or a hot laptop.
 */
export function referenceUs(): number {
  return median(Array.from({ length: 9 }, () => {
    const startedMs = performance.now();
    createHash("sha256").update(MEBIBYTE).digest();
    return 1000 * (performance.now() - startedMs);
  }));
}

/** Number of handshakes before the measurement, in which a server may still compile its code. */
const WARMUPS = 10;
/** Number of measured handshakes: enough for a 99th percentile. */
const COUNT = 100;
/** Time limit for the handshakes, in milliseconds. A slow server makes fewer than `COUNT`. */
const LONGEST_MS = 1000;

/**
 * Opens TLS connections one after the other, each with a full handshake, because no session is
 * resumed. Windows do not include this cost. Returns microseconds; null for a server without TLS.
 */
export async function measureHandshakes(
  { origin, pid }: Pick<RunningServer, "origin" | "pid">,
): Promise<Handshakes | null> {
  const address = addressOf(origin);
  if (!address.isTls) return null;
  const shake = async (): Promise<number> => {
    const startMs = performance.now();
    const connection = await connect(address);
    const tookUs = 1000 * (performance.now() - startMs);
    connection.close();
    return tookUs;
  };
  for (let i = 0; i < WARMUPS; i++) await shake();
  const meter = new UsageMeter({ server: pid === null ? [] : [pid], database: [], generator: [] });
  const times: number[] = [];
  const untilMs = performance.now() + LONGEST_MS;
  meter.open();
  while (times.length < COUNT && performance.now() < untilMs) times.push(await shake());
  meter.close();
  const used = meter.usage?.server ?? null;
  const sorted = times.toSorted((a, b) => a - b);
  return {
    count: times.length,
    p50Us: Math.round(median(times)),
    p99Us: Math.round(sorted[Math.ceil(0.99 * times.length) - 1] as number),
    serverCpuUs: used === null ? null : Math.round((used.userUs + used.systemUs) / times.length),
  };
}
