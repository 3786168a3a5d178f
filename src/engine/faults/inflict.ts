import { now } from "../../load/metronome.ts";
import { Failure, messageOf } from "../../model/errors.ts";
import type { FaultId, FaultOutcome, FaultResult } from "../../model/fault.ts";
import type { Scenario } from "../../model/scenario.ts";
import type { OpenLab, PreparedServer } from "../lab.ts";
import { type Fault, FAULT_LIST, firstOf, type Victim } from "./faults.ts";
import { pause } from "./pause.ts";
import { PATIENCE_MS, type Reply, Steady, wellAgain } from "./steady.ts";
import { terminate } from "./terminate.ts";

/** How long a server is watched before its fault, and after it at most. */
const CALM_MS = 1000;
const WATCHED_MS = 10_000;
const STEP_MS = 50;

/** What faults need. */
export interface FaultContext {
  readonly lab: OpenLab;
  readonly faults: readonly FaultId[];
  /** Every scenario that is known. */
  readonly scenarios: readonly Scenario[];
  /** Variables that every server is started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Hears what is next. */
  readonly onFault: (fault: FaultId) => void;
}

/**
 * Does one fault after the other to a server, each to a fresh process of it.
 *
 * @throws the reason of `signal`.
 */
export async function* inflict(
  { server, skipped, failure }: PreparedServer,
  { lab, faults, scenarios: all, env, signal, onFault }: FaultContext,
): AsyncGenerator<FaultResult> {
  const scenarios = all.filter(({ id }) => id in server.scenarios);
  for (const fault of faults) {
    onFault(fault);
    const result = (outcome: FaultResult["outcome"]): FaultResult => ({
      server: server.id,
      fault,
      outcome,
    });
    const problem = skipped ?? failure;
    if (problem !== null) {
      yield result({ kind: "failed", message: problem });
      continue;
    }
    try {
      await lab.assertSound();
      await using running = await lab.launch(server, env);
      const { maxConnections } = server;
      const victim = { running, lab, scenarios, maxConnections, signal };
      yield result(await suffer(fault, victim));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      yield result({ kind: "failed", message: messageOf(error) });
    }
  }
}

async function suffer(id: FaultId, victim: Victim): Promise<FaultResult["outcome"]> {
  const fault = FAULT_LIST.find((fault) => fault.id === id);
  if (fault === undefined) {
    return await terminate(victim) ?? { kind: "skipped", why: "no-scenario" };
  }
  const asked = firstOf(fault.asks, victim.scenarios);
  if (asked === undefined) return { kind: "skipped", why: "no-scenario" };
  if (fault.isOfDatabase && (victim.lab.database?.pid ?? null) === null) {
    return { kind: "skipped", why: "foreign-database" };
  }
  return await watched(fault, asked, victim);
}

/** Does it while a client looks on. */
async function watched(fault: Fault, asked: Scenario, victim: Victim): Promise<FaultOutcome> {
  const { running, lab, maxConnections, signal } = victim;
  using steady = new Steady(running.origin, asked, { facts: lab.facts, maxConnections });
  const calm = await untilCalm(steady, asked, signal);
  let fromMs = now();
  const flood = await fault.inflict(victim, () => fromMs = now());
  const overMs = now();
  let wellMs: number | null = null;
  while (wellMs === null && now() < overMs + WATCHED_MS) {
    await pause(STEP_MS, signal);
    wellMs = wellAgain(steady.between(overMs, Infinity), calm);
  }
  if (wellMs !== null) await pause(wellMs + PATIENCE_MS - now(), signal);
  steady.stop();
  const replies = steady.between(fromMs, wellMs ?? overMs + WATCHED_MS - PATIENCE_MS);
  const failed: Record<string, number> = {};
  for (const { got } of replies) if (got !== null) failed[got] = (failed[got] ?? 0) + 1;
  return {
    kind: "done",
    scenario: asked.id,
    requests: replies.length,
    failed,
    recoveryS: wellMs === null ? null : (wellMs - overMs) / 1000,
    flood,
    end: null,
  };
}

/**
 * Waits until all answers of a second were right.
 *
 * @returns these
 * @throws {Failure} if they never are.
 */
async function untilCalm(
  steady: Steady,
  { id }: Scenario,
  signal: AbortSignal,
): Promise<readonly Reply[]> {
  const endsMs = now() + WATCHED_MS;
  for (;;) {
    await pause(CALM_MS + PATIENCE_MS / 2, signal);
    const lastMs = now() - PATIENCE_MS / 2;
    const calm = steady.between(lastMs - CALM_MS, lastMs);
    const wrong = calm.find(({ got }) => got !== null);
    if (wrong === undefined && calm.length > 0) return calm;
    if (now() > endsMs) {
      throw new Failure(`It did not answer ${id} before the fault (${wrong?.got ?? "nothing"})`);
    }
  }
}
