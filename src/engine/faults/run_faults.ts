/** Runs faults against a server, while a monitor sends requests. */
import { ClosedLoop } from "../../load/driver/closed_loop.ts";
import { ONE_BY_ONE } from "../../load/driver/load_client.ts";
import { PacedClient, type PacedRequest } from "../../load/paced_client.ts";
import { Metronome, now } from "../../load/metronome.ts";
import { Failure, messageOf } from "../../model/errors.ts";
import type { FaultId, FaultOutcome, FaultResult } from "../../model/fault.ts";
import type { Facts, Scenario } from "../../model/scenario.ts";
import type { Child } from "../../process/child.ts";
import { pause } from "../../process/pause.ts";
import type { PreparedServer } from "../testbed.ts";
import { FAULT_LIST, firstOf, type Victim } from "./fault_list.ts";

interface FaultContext extends Pick<Victim, "testbed" | "hostileClients" | "signal"> {
  readonly faults: readonly FaultId[];
  readonly scenarios: readonly Scenario[];
  readonly env: Readonly<Record<string, string>>;
  /** Receives each fault before it runs. */
  readonly onFault: (fault: FaultId) => void;
}

/** Scenarios that keep requests pending during SIGTERM, the slowest first. */
const SLOW = ["delay", "hello", "primes", "sql2", "sql1", "json", "text"];
/** Maximum number of connections that a fault may open at once. */
const MOST_OPEN = 500;
/** Maximum number of the monitor's connections. */
const MOST_CONNECTIONS = 20;

/** Runs one fault after the other, each against a fresh process of the server. */
export async function* runFaults(
  prepared: PreparedServer,
  context: FaultContext,
): AsyncGenerator<FaultResult> {
  for (const fault of context.faults) {
    context.onFault(fault);
    const outcome = await runFault(fault, prepared, context);
    yield { server: prepared.server.id, fault, outcome };
  }
}

async function runFault(
  id: FaultId,
  { server, skipped, failure }: PreparedServer,
  { testbed, hostileClients, scenarios: all, env, signal }: FaultContext,
): Promise<FaultResult["outcome"]> {
  if (skipped !== null) return { kind: "missing", message: skipped };
  if (failure !== null) return { kind: "failed", message: failure };
  const scenarios = all.filter(({ id }) => id in server.scenarios);
  const fault = FAULT_LIST.find((one) => one.id === id) ?? null; // SIGTERM is not in the list
  const asked = firstOf(fault?.asks ?? SLOW, scenarios);
  if (asked === undefined) return { kind: "skipped", why: "no-scenario" };
  const isForeign = (testbed.database?.process?.pid ?? null) === null;
  if (fault?.isOfDatabase && isForeign) return { kind: "skipped", why: "foreign-database" };
  try {
    await testbed.assertSound();
    await using running = await testbed.launch(server, env);
    const limit = server.maxConnections ?? Infinity;
    // The monitor uses at most a quarter of the server's connections.
    const connections = Math.min(MOST_CONNECTIONS, Math.max(1, Math.floor(limit / 4)));
    const most = Math.max(1, Math.min(MOST_OPEN, limit - connections));
    const victim = { running, testbed, hostileClients, scenarios, asked, most, signal };
    return await (fault === null ? terminate(victim) : runWatched(fault, victim, connections));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { kind: "failed", message: messageOf(error) };
  }
}

/** Time that the server must answer correctly before a fault, in milliseconds. */
const CALM_MS = 1000;
/** Minimum share of the scheduled requests that must be answered in that time. */
const MIN_ANSWERED_SHARE = 0.9;
/** Time limit for a calm second before a fault, and for the recovery after it, in milliseconds. */
const WATCHED_MS = 10_000;
/** Interval of checks for recovery, in milliseconds. */
const STEP_MS = 50;
/** Interval of the monitor's requests, in ms: the precision of recovery times, and a small load. */
const INTERVAL_MS = 20;
/** Timeout of the monitor's requests, in milliseconds. A response after it counts as late. */
const TIMEOUT_MS = 1000;
/** Number of consecutive right and quick responses that count as recovered. */
const RECOVERED_IN_A_ROW = 10;
/** Milliseconds that a quick response may take beyond twice the slowest one before the fault. */
const QUICK_MS = 50;

/** Runs a fault while a monitor sends requests. Throws a `Failure` if the server ends. */
async function runWatched(
  fault: typeof FAULT_LIST[number],
  victim: Victim,
  connections: number,
): Promise<FaultOutcome> {
  const { running, testbed, asked, signal } = victim;
  using monitor = new Monitor(running.origin, asked, { facts: testbed.facts, connections });
  const calm = await untilCalm(monitor, asked, signal);
  let fromMs = now();
  const requestFlood = await fault.run(victim, () => fromMs = now());
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
  return {
    kind: "done",
    scenario: asked.id,
    ...tally(replies.map(({ got }) => got)),
    recoveryS: recoveredMs === null ? null : (recoveredMs - overMs) / 1000,
    monitorLatenessS: Math.max(0, ...replies.map(({ noticedMs }) => noticedMs)) / 1000,
    requestFlood,
    end: null,
  };
}

/** Waits until every reply within a second is right and returns them, at most `WATCHED_MS`. */
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

interface Reply {
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

  /** Returns the requests that were due within a period, in the order of their send times. */
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
 * Returns the time of recovery, in milliseconds on the clock of the scheduled send times; null without
 * one. It is the start of the first `RECOVERED_IN_A_ROW` responses that are right and quick (see
 * {@linkcode QUICK_MS}) without a gap. `replies` are in order of send times; `calm`: before the fault.
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

/** Maximum number of requests that are pending when SIGTERM is sent. */
const PENDING = 10;
/** Duration of the load before SIGTERM, in milliseconds. */
const LOADED_MS = 1000;
/** Time that a server gets to end before it is killed, in milliseconds. */
const GRACE_MS = 10_000;
/** Timeout of requests that are pending when SIGTERM is sent, in seconds. */
const PENDING_TIMEOUT_S = 10;

/** Sends SIGTERM while ten requests are pending, and none afterwards, and counts their outcomes. */
async function terminate({ running, asked, most, signal }: Victim): Promise<FaultOutcome> {
  let isEndRequested = false;
  const outcomes: (string | null)[] = [];
  const count = (what: string | null): void => {
    if (isEndRequested) outcomes.push(what);
  };
  const load = { connections: Math.min(PENDING, most), timeoutS: PENDING_TIMEOUT_S };
  const talk = { origin: running.origin, request: asked.request, ...ONE_BY_ONE, expected: null };
  using loop = new ClosedLoop({ ...talk, ...load }, {
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
  return {
    kind: "done",
    scenario: asked.id,
    ...tally(outcomes),
    recoveryS: null,
    monitorLatenessS: 0,
    requestFlood: null,
    end: { code: status.code, signal: status.signal, tookS },
  };
}

/** Counts requests, and those without a right response in time by cause. */
function tally(outcomes: readonly (string | null)[]): Pick<FaultOutcome, "requests" | "failed"> {
  const failed: Record<string, number> = {};
  for (const got of outcomes) if (got !== null) failed[got] = (failed[got] ?? 0) + 1;
  return { requests: outcomes.length, failed };
}
