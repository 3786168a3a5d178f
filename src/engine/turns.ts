/** Loads servers in turns: a closed loop finds their rate, and an open loop has the same rate for all. */
import type { WindowJob, WindowListener } from "../load/generator.ts";
import { Failure } from "../model/errors.ts";
import type { Load, OpenLoad, Variant } from "../model/experiment.ts";
import { responsesOf, successesOf } from "../model/figures.ts";
import type { Measurement, OpenRecord } from "../model/raw.ts";
import type { Scenario } from "../model/scenario.ts";
import { count } from "../model/text.ts";
import type { RunContext } from "./run_context.ts";
import { explained, startAll, type Started, untilEnd, verified } from "./servers.ts";

/**
 * Rate of the open loop, as a share of the slower server's maximum rate. At a higher share the load
 * generator, which shares the processors, delays responses: at 0.4, p99 was 4 to 200 ms on two cores.
 */
export const SHARE = 0.1;
/** Significant digits of the rate, which is not more precise. */
const DIGITS = 3;
/** Length of a closed loop in seconds. Afterwards, V8 has compiled the handlers of most servers. */
const CLOSED_S = 1;
/** Length of a turn, in seconds: short, so that both servers meet the machine alike. */
export const TURN_S = 0.5;
/** Time before a turn in which connections open, in seconds. Its requests do not count. */
const OPENING_S = 0.1;
/** Requests per second of a quiet server, and the seconds of that load. */
const [QUIET_PER_S, QUIET_S] = [100, 1];
/** Maximum number of connections of an open loop. */
const OPEN_CONNECTIONS = 256;

/** A server under load, and what its turns have measured. */
export interface Loaded extends Started {
  readonly job: Omit<WindowJob, "load">;
  readonly turns: OpenRecord[];
  /** Why its load does not count; null if it does. */
  problem: string | null;
}

/** Starts the servers and verifies their responses in turn. `running` stops them. */
export async function prepareLoad(
  { testbed, signal }: RunContext,
  scenario: Scenario,
  variants: readonly Variant[],
  running: AsyncDisposableStack,
): Promise<Loaded[]> {
  const all: Loaded[] = [];
  for (const one of await startAll(testbed.launch, variants, running)) {
    const verify = () => verified(one.started.origin, scenario, testbed.facts, signal);
    const { talk } = await explained(one, verify);
    all.push({ ...one, job: talk, turns: [], problem: null });
  }
  return all;
}

/** Returns the rate of the open loop, in requests per second. */
export async function openRate(
  context: RunContext,
  scenario: Scenario,
  variants: readonly Variant[],
): Promise<number> {
  await using running = new AsyncDisposableStack();
  const rates: number[] = [];
  for (const one of await prepareLoad(context, scenario, variants, running)) {
    const measured = await closedLoop(context, one, scenario, null);
    if (one.problem !== null) throw new Failure(`${one.variant.label}: ${one.problem}`);
    rates.push(successesOf(measured) / measured.durationS);
  }
  const perS = Number((SHARE * Math.min(...rates)).toPrecision(DIGITS));
  if (perS > 0) return perS;
  throw new Failure("a server did not answer in a closed loop");
}

/** Loads a server in a closed loop, with the same number of requests in all rounds. */
export async function warmUp(
  context: RunContext,
  one: Loaded,
  scenario: Scenario,
  perS: number,
): Promise<void> {
  await closedLoop(context, one, scenario, Math.ceil(CLOSED_S * perS / SHARE));
}

async function closedLoop(
  context: RunContext,
  one: Loaded,
  { connections }: Scenario,
  responses: number | null,
): Promise<Measurement> {
  const { load } = context.experiment;
  const [asked = load.defaultConnections] = load.connections ?? [connections ?? undefined];
  const lengths = { warmupS: 0, durationS: CLOSED_S, responses };
  return await drive(context, one, asked, { ...lengths, open: null });
}

/** Loads a server in an open loop for a turn, and waits for all responses. */
export async function takeTurn(context: RunContext, one: Loaded, open: OpenLoad): Promise<void> {
  const lengths = { warmupS: OPENING_S, durationS: TURN_S, responses: null };
  const measured = await drive(context, one, OPEN_CONNECTIONS, { ...lengths, open });
  if (measured.open !== null) one.turns.push(measured.open);
}

/** Loads a server quietly for a second, or throws a `Failure` if a response was wrong. */
export async function loadQuietly(
  context: RunContext,
  one: Loaded,
  listener: Partial<WindowListener>,
): Promise<void> {
  const open = { perS: QUIET_PER_S, arrivals: "even", seed: 0 } as const;
  const lengths = { warmupS: OPENING_S, durationS: QUIET_S, responses: null };
  await drive(context, one, OPEN_CONNECTIONS, { ...lengths, open }, listener);
  if (one.problem !== null) throw new Failure(`${one.variant.label}: ${one.problem}`);
}

async function drive(
  { experiment: { load: { timeoutS } }, pool, signal }: RunContext,
  one: Loaded,
  wanted: number,
  own: Pick<Load, "warmupS" | "durationS" | "responses" | "open">,
  listener: Partial<WindowListener> = {},
): Promise<Measurement> {
  const connections = Math.min(wanted, one.variant.server.maxConnections ?? wanted);
  const load = { ...own, mostWarmupS: own.warmupS, connections, shards: 1, timeoutS };
  const whileRunning = untilEnd([one.started], signal);
  const job = { ...one.job, load };
  const measured = await explained(one, () => pool.drive(job, whileRunning, listener));
  one.problem ??= problemOf(measured);
  return measured;
}

/** Returns what was wrong with a load; null if all of its responses were right. */
function problemOf(measured: Measurement): string | null {
  const { open, timeouts, transportErrors, wrongResponses, wrongResponse } = measured;
  const lost = open === null
    ? (timeouts ?? 0) + transportErrors
    : open.failed + open.unanswered + open.shed;
  const failed = lost + responsesOf(measured) - successesOf(measured);
  if (failed > 0) return `${count(failed, "request")} without a response of status 2xx`;
  if (wrongResponses === 0) return null;
  return `${count(wrongResponses, "response")} with a wrong body: ${wrongResponse}`;
}
