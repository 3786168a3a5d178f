import { extrasOf } from "../conformance/surplus.ts";
import { GENERATORS } from "../load/generator_list.ts";
import { Failure, Mismatch } from "../model/errors.ts";
import type { LoadGenerator, WindowJob } from "../load/generator.ts";
import { absent, type Probe } from "../load/probe.ts";
import type { Trial, Variant } from "../model/experiment.ts";
import type { HttpResponse, Scenario } from "../model/scenario.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Reason } from "../model/reason.ts";
import type { RunningServer } from "../target/launch.ts";
import type { Generators, OpenTestbed } from "./testbed.ts";
import { Observer } from "./observer.ts";
import { referenceUs } from "./reference_speed.ts";
import { tlsInUse } from "../process/tls_client.ts";
import { silenceOf } from "../target/verify.ts";
import { assertRoom, verified, verifiedMix, WrongResponse } from "./verified.ts";

/**
 * Milliseconds for which one connection repeats the request after the load. This finds surplus bytes that a
 * server does not send until after several responses.
 */
const REPEAT_MS = 100;

/** The functions for measuring a window. */
export type WindowTools =
  & Pick<OpenTestbed, "facts" | "watch" | "countStatements" | "database">
  & Pick<Generators, "measure" | "measureBeside" | "ceiling">;

/** One window to measure, with everything that the measurement needs. */
export interface WindowOrder {
  readonly trial: Trial;
  readonly variant: Variant;
  readonly scenario: Scenario;
  readonly server: RunningServer;
  readonly tools: WindowTools;
  readonly abort: AbortSignal;
}

/**
 * Verifies a scenario and measures one window of it.
 *
 * @throws {WrongResponse} if a response is wrong before the load, or if a check before or after the load
 *   finds surplus bytes, or interim responses that the load generator cannot skip.
 * @throws {Failure} if the window cannot be measured.
 */
export async function measureWindow(order: WindowOrder): Promise<WindowRecord> {
  const { trial, variant, scenario, server, tools, abort } = order;
  const { load } = trial;
  assertRoom(variant.server, load.connections);
  const reference = referenceUs();
  const { facts } = tools;
  const { response, body } = await verified(server.origin, scenario, facts, abort);
  if (response !== null) await assertNoExtras(order);
  const { request, protocol, pipelined } = scenario;
  const mix = await verifiedMix(server.origin, scenario, facts, abort);
  const job: WindowJob = { origin: server.origin, request, protocol, pipelined, mix, load, body };
  const hasCeiling = load.responses === null && load.open === null && trial.purpose !== "scale";
  const ceiling = hasCeiling && response !== null
    ? await tools.ceiling(trial.generator, job, response, abort)
    : null;

  const besideJob = await jobBeside(order);
  const absence = whyNoProbe(order);
  const ended = new AbortController();
  server.process?.ended.then(() => ended.abort(new Failure("The server ended")));
  const endCounting = await tools.countStatements();
  using probe = absence === null && response !== null
    ? watch(order, response, body !== null && "same" in body)
    : null;
  const observer = new Observer(server.pid, tools.database?.pid ?? null, probe);
  const signal = AbortSignal.any([abort, ended.signal]);
  // Generators that check bodies have checked their own connections for surplus bytes.
  const isUnseen = response !== null && !generatorOf(trial).checksBodies;
  const [measurement, beside] = await Promise.all([
    tools.measure(trial.generator, job, signal, observer),
    besideJob && tools.measureBeside(besideJob, signal),
  ]).catch(async (error) => {
    signal.throwIfAborted();
    if (isUnseen) await assertNoExtras(order, REPEAT_MS); // some generators fail on surplus bytes
    throw error;
  });
  const database = await endCounting?.() ?? null;
  // No load generator knows whether its last pending requests would have been answered.
  const silence = response && await silenceOf(server.origin, scenario.request, abort);
  if (silence !== null) throw new Failure(`the server did not answer after the load: ${silence}`);
  if (isUnseen) await assertNoExtras(order, REPEAT_MS);
  return {
    measurement,
    usage: observer.usage,
    database,
    probe: probe?.record ?? absent(absence),
    ceiling,
    referenceUs: reference,
    beside,
  };
}

/**
 * Checks one connection, before or after the load, for output that the load generator would count as
 * responses.
 *
 * @throws {WrongResponse} if the server sends surplus bytes, or interim responses that the generator cannot
 * skip.
 */
async function assertNoExtras(
  { trial, scenario, server, abort }: WindowOrder,
  repeatMs = 0,
): Promise<void> {
  if (tlsInUse()?.alpn === "h2") return; // each frame names its request
  const { origin } = server;
  const { surplusBytes, interimStatus } = await extrasOf(origin, scenario.request, abort, repeatMs);
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

/**
 * Verifies the second load that a scenario may have during its window, and returns the job for it;
 * null without a second load.
 */
async function jobBeside(
  { trial: { load }, scenario, server, tools, abort }: WindowOrder,
): Promise<WindowJob | null> {
  if (scenario.beside === undefined) return null;
  const { scenario: other, connections } = scenario.beside;
  const { body } = await verified(server.origin, other, tools.facts, abort);
  return {
    origin: server.origin,
    request: other.request,
    protocol: other.protocol,
    pipelined: other.pipelined,
    mix: [],
    load: { ...load, connections, shards: 1, open: null },
    body,
  };
}

/** Returns why this window has no probe; null if it has one. */
function whyNoProbe({ scenario, variant, trial }: WindowOrder): Reason | null {
  const { cycle, protocol } = scenario;
  const { maxConnections } = variant.server;
  if (protocol !== "http") return { kind: "messages" };
  if (trial.load.open !== null) return { kind: "open-loop" };
  if (cycle !== null) return { kind: "responses-in-waves", every: cycle.every, waitS: cycle.waitS };
  return maxConnections !== null && trial.load.connections >= maxConnections
    ? { kind: "connections-taken", connections: maxConnections }
    : null;
}

function watch(
  { scenario, server, tools }: WindowOrder,
  verified: HttpResponse,
  isSame: boolean,
): Probe {
  const type = verified.headers.get("content-type");
  return tools.watch({
    origin: server.origin,
    request: scenario.request,
    expect: (response) => {
      scenario.expect(response, tools.facts);
      const got = response.headers.get("content-type");
      if (got !== type) throw new Mismatch(`content type ${type}`, String(got));
      if (isSame && response.text !== verified.text) {
        throw new Mismatch("the body that was verified", response.text.slice(0, 120));
      }
    },
  });
}
