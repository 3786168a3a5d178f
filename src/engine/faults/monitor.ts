import type { Facts, Scenario } from "../../model/scenario.ts";
import { Metronome } from "../../load/metronome.ts";
import { PacedClient, type PacedRequest } from "../../load/paced.ts";

/** Often enough to see a fiftieth of a second, and no load. */
export const INTERVAL_MS = 20;
export const MOST_CONNECTIONS = 20;
/** A client that waits longer has gone. */
export const TIMEOUT_MS = 1000;
/** So many right and quick responses one after the other, and all is well. */
const ROW = 10;
/** What counts as quick, beyond twice the slowest response before the fault. */
const QUICK_MS = 50;

/** What became of one request. */
export interface Reply {
  /** When it was to be sent, on the metronome's clock. */
  readonly dueMs: number;
  /** From then to when Stampede noticed. */
  readonly noticedMs: number;
  /** From when it was to be sent to its response; null if there is none. */
  readonly tookMs: number | null;
  /** What came instead of a right response in time; null if that came. */
  readonly got: string | null;
}

/** Asks a server for one scenario, fifty times a second, whatever becomes of the requests before. */
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

  /** Sends no more. What is under way has no response. */
  stop(): void {
    for (const request of this.#client.stop()) this.#take(request);
  }

  /** The requests that were due from one moment to another, in that order. */
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
 * When a row of responses began that are right and as quick as they were before the fault, with none
 * missing; null if there is none yet.
 *
 * @param replies in the order in which they were due
 * @param calm replies from before the fault
 */
export function wellAgain(replies: readonly Reply[], calm: readonly Reply[]): number | null {
  const quickMs = 2 * Math.max(...calm.map(({ tookMs }) => tookMs ?? 0)) + QUICK_MS;
  let row: Reply[] = [];
  for (const reply of replies) {
    const before = row.at(-1)?.dueMs ?? reply.dueMs;
    const isMissing = reply.dueMs - before > 1.5 * INTERVAL_MS;
    const isWell = reply.got === null && (reply.tookMs ?? Infinity) <= quickMs;
    row = isWell ? [...isMissing ? [] : row, reply] : [];
    if (row.length === ROW) return row[0]?.dueMs ?? null;
  }
  return null;
}
