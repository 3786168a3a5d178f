import { ClosedLoop } from "../../load/driver/closed_loop.ts";
import { ONE_BY_ONE } from "../../load/driver/load_client.ts";
import { now } from "../../load/metronome.ts";
import { Failure, messageOf } from "../../model/errors.ts";
import type { FaultId, FaultOutcome, FaultResult, WhyNoFault } from "../../model/fault.ts";
import type { Scenario } from "../../model/scenario.ts";
import type { Server } from "../../model/server.ts";
import type { Child } from "../../process/child.ts";
import { pause } from "../../process/pause.ts";
import type { OpenTestbed, PreparedServer } from "../testbed.ts";
import { type Fault, FAULT_LIST, firstOf, type HostileClients, type Victim } from "./fault_list.ts";
import {
  INTERVAL_MS,
  Monitor,
  MOST_CONNECTIONS,
  type Reply,
  TIMEOUT_MS,
  wellAgain,
} from "./request_flood.ts";

/** Scenarios that keep requests pending during SIGTERM, the slowest first. */
const SLOW = ["delay", "hello", "primes", "sql2", "sql1", "json", "text"];
/** Maximum number of requests that are pending when SIGTERM is sent. */
const CONNECTIONS = 10;
/** Duration of the load before SIGTERM, in milliseconds. */
const LOADED_MS = 1000;
/** Time that a server gets to end before it is killed, in milliseconds. */
const GRACE_MS = 10_000;
/** Timeout of requests that are pending when SIGTERM is sent, in seconds. */
const TIMEOUT_S = 10;

/**
 * Sends SIGTERM to a server's process group while ten requests are pending, and counts their outcomes. No
 * request is sent after the signal.
 */
async function terminate(
  { running, asked, most, signal }: Victim,
): Promise<FaultOutcome> {
  const connections = Math.min(CONNECTIONS, most);
  const failed: Record<string, number> = {};
  let [isEndRequested, requests] = [false, 0];
  const count = (what: string | null): void => {
    if (!isEndRequested) return;
    requests++;
    if (what !== null) failed[what] = (failed[what] ?? 0) + 1;
  };
  const { origin } = running;
  const options = { origin, request: asked.request, connections, timeoutS: TIMEOUT_S };
  using loop = new ClosedLoop({ ...options, ...ONE_BY_ONE, expected: null }, {
    answered: ({ status }) => count(status >= 200 && status < 300 ? null : String(status)),
    failed: (why) => count(why === "timeout" ? "late" : "nothing"),
    reconnected: () => {},
  });
  loop.start();
  await pause(LOADED_MS, signal);
  isEndRequested = true;
  const drained = loop.halt();
  const requestedMs = performance.now();
  const status = await (running.process as Child).stop(GRACE_MS);
  const tookS = (performance.now() - requestedMs) / 1000;
  await drained;
  const end = { code: status.code, signal: status.signal, tookS };
  return {
    kind: "done",
    scenario: asked.id,
    requests,
    failed,
    recoveryS: null,
    monitorLatenessS: 0,
    requestFlood: null,
    end,
  };
}

/** Time that the server must answer correctly before a fault, in milliseconds. */
const CALM_MS = 1000;
/** Time limit for a calm second before a fault, and for the recovery after it, in milliseconds. */
const WATCHED_MS = 10_000;
/** Interval of checks for recovery, in milliseconds. */
const STEP_MS = 50;
/**
 * Minimum share of the scheduled requests that must be answered in the calm second before a fault.
 */
const MIN_ANSWERED_SHARE = 0.9;

/** Maximum number of connections that a fault may open at once. */
const MOST_OPEN = 500;

/** Inputs for injecting faults. */
interface FaultContext {
  readonly testbed: OpenTestbed;
  /** The clients that harm the server. */
  readonly hostileClients: HostileClients;
  readonly faults: readonly FaultId[];
  /** Every known scenario. */
  readonly scenarios: readonly Scenario[];
  /** Environment variables for every server. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Receives each fault before it is injected. */
  readonly onFault: (fault: FaultId) => void;
}

/**
 * Injects one fault after the other, each into a fresh process of the server.
 *
 * @throws the reason of `signal` if that is aborted.
 */
export async function* inflict(
  { server, skipped, failure }: PreparedServer,
  { testbed, hostileClients, faults, scenarios: all, env, signal, onFault }: FaultContext,
): AsyncGenerator<FaultResult> {
  const scenarios = all.filter(({ id }) => id in server.scenarios);
  for (const fault of faults) {
    onFault(fault);
    const result = (outcome: FaultResult["outcome"]): FaultResult => ({
      server: server.id,
      fault,
      outcome,
    });
    if (skipped !== null) {
      yield result({ kind: "missing", message: skipped });
      continue;
    }
    if (failure !== null) {
      yield result({ kind: "failed", message: failure });
      continue;
    }
    const harm = harmOf(fault, scenarios, testbed);
    if (typeof harm === "string") {
      yield result({ kind: "skipped", why: harm });
      continue;
    }
    try {
      await testbed.assertSound();
      await using running = await testbed.launch(server, env);
      const watching = connectionsOf(server);
      const most = Math.max(1, Math.min(MOST_OPEN, (server.maxConnections ?? Infinity) - watching));
      const victim = {
        running,
        testbed,
        hostileClients,
        scenarios,
        asked: harm.asked,
        most,
        signal,
      };
      yield result(
        harm.fault === null ? await terminate(victim) : await watched(harm.fault, victim, watching),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      yield result({ kind: "failed", message: messageOf(error) });
    }
  }
}

/**
 * Returns the fault and the scenario that clients request meanwhile, or why the fault is skipped.
 * SIGTERM is not in the list of faults, so the fault is null for it.
 */
function harmOf(
  id: FaultId,
  scenarios: readonly Scenario[],
  testbed: OpenTestbed,
): WhyNoFault | { readonly fault: Fault | null; readonly asked: Scenario } {
  const fault = FAULT_LIST.find((fault) => fault.id === id) ?? null;
  const asked = firstOf(fault?.asks ?? SLOW, scenarios);
  if (asked === undefined) return "no-scenario";
  const isForeign = (testbed.database?.pid ?? null) === null;
  return fault?.isOfDatabase && isForeign ? "foreign-database" : { fault, asked };
}

/** Returns the number of the monitor's connections: at most a quarter of the server's maximum. */
function connectionsOf({ maxConnections }: Server): number {
  return Math.min(MOST_CONNECTIONS, Math.max(1, Math.floor((maxConnections ?? Infinity) / 4)));
}

/**
 * Injects a fault while a monitor sends requests.
 *
 * @throws {Failure} if the server ends.
 */
async function watched(fault: Fault, victim: Victim, connections: number): Promise<FaultOutcome> {
  const { running, testbed, asked, signal } = victim;
  using monitor = new Monitor(running.origin, asked, { facts: testbed.facts, connections });
  const calm = await untilCalm(monitor, asked, signal);
  let fromMs = now();
  const requestFlood = await fault.inflict(victim, () => fromMs = now());
  const overMs = now();
  let recoveredMs: number | null = null;
  while (recoveredMs === null && now() < overMs + WATCHED_MS) {
    if (running.process?.hasEnded) {
      await running.process.ended;
      const { howItEnded, lastWords } = running.process;
      throw new Failure(`The server ${howItEnded}${lastWords}`);
    }
    await pause(STEP_MS, signal);
    recoveredMs = wellAgain(monitor.between(overMs, Infinity), calm);
  }
  if (recoveredMs !== null) await pause(recoveredMs + TIMEOUT_MS - now(), signal);
  monitor.stop();
  const replies = monitor.between(fromMs, recoveredMs ?? overMs + WATCHED_MS - TIMEOUT_MS);
  const failed: Record<string, number> = {};
  for (const { got } of replies) if (got !== null) failed[got] = (failed[got] ?? 0) + 1;
  return {
    kind: "done",
    scenario: asked.id,
    requests: replies.length,
    failed,
    recoveryS: recoveredMs === null ? null : (recoveredMs - overMs) / 1000,
    monitorLatenessS: Math.max(0, ...replies.map(({ noticedMs }) => noticedMs)) / 1000,
    requestFlood,
    end: null,
  };
}

/**
 * Waits until every response within one second is right.
 *
 * @returns the replies of that second
 * @throws {Failure} if that does not happen within `WATCHED_MS`.
 */
async function untilCalm(
  monitor: Monitor,
  { id }: Scenario,
  signal: AbortSignal,
): Promise<readonly Reply[]> {
  const endsMs = now() + WATCHED_MS;
  await pause(CALM_MS, signal); // the first responses of a process are slow
  for (;;) {
    await pause(CALM_MS + TIMEOUT_MS / 2, signal);
    const lastMs = now() - TIMEOUT_MS / 2;
    const calm = monitor.between(lastMs - CALM_MS, lastMs);
    const wrong = calm.find(({ got }) => got !== null);
    const isWhole = calm.length >= MIN_ANSWERED_SHARE * CALM_MS / INTERVAL_MS;
    if (wrong === undefined && isWhole) return calm;
    if (now() > endsMs) {
      throw new Failure(
        `The server did not answer ${id} correctly before the fault (${wrong?.got ?? "nothing"})`,
      );
    }
  }
}
