import type { Facts, Scenario } from "../../model/scenario.ts";
import { Metronome } from "../../load/metronome.ts";
import { PacedClient, type PacedRequest } from "../../load/paced.ts";

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
