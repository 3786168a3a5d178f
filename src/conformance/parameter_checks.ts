import { expectSideBySide } from "../../scenarios/delay.ts";
import { get } from "../../scenarios/expect.ts";
import { upTo } from "../../scenarios/primes.ts";
import { Mismatch } from "../model/errors.ts";
import { type ConformanceCheck, implementing } from "./check.ts";

/** In this check, every fourth request waits instead of every tenth. */
const EVERY = 4;
/** Number of waits that the check expects, each after {@linkcode EVERY} requests. */
const CYCLES = 3;
/**
 * Delay of a waiting request in milliseconds: long compared with every other delay of a response. A
 * response counts as delayed if it takes more than half of this time.
 */
const WAIT_MS = 800;

const delayCounter: ConformanceCheck = {
  id: "delay-counter",
  name: "counts the requests of all connections together",
  level: "must",
  applies: implementing("delay"),
  async run({ ask }): Promise<void> {
    const waits: number[] = [];
    // Each request has a new connection, so a counter per connection never reaches four. Counters of
    // several processes or threads reach four in quick succession or irregularly.
    for (let i = 0; i < CYCLES * EVERY; i++) {
      const start = performance.now();
      await ask(get(`/delay?every=${EVERY}&ms=${WAIT_MS}`));
      if (performance.now() - start > WAIT_MS / 2) waits.push(i + 1);
    }
    const isRegular = waits.every((at, i) => i === 0 || at - (waits[i - 1] ?? 0) === EVERY);
    if (waits.length !== CYCLES || !isRegular) {
      throw new Mismatch(
        `every ${EVERY}th of ${CYCLES * EVERY} requests to wait, each on a new connection`,
        waits.length === 0 ? "no wait" : `waits at the requests ${waits.join(", ")}`,
      );
    }
  },
};

/** Maximum number of requests that wait at the same time. */
const PARALLEL = 20;

const delayParallel: ConformanceCheck = {
  id: "delay-parallel",
  name: `lets ${PARALLEL} requests wait at the same time`,
  level: "must",
  applies: implementing("delay"),
  async run({ server, ask }): Promise<void> {
    await expectSideBySide(ask, Math.min(PARALLEL, server.maxConnections ?? PARALLEL));
  },
};

/**
 * Range of the random upper bound for primes in this check. The scenario always uses the same
 * bound, so a server could store that response. Bounds above 30,000 are slow to check.
 */
const [FROM, TO] = [1000, 30_000];

const anyLimit: ConformanceCheck = {
  id: "any-limit",
  name: "returns the primes up to any limit",
  level: "must",
  applies: implementing("primes"),
  async run({ ask, facts, origin }): Promise<void> {
    const limit = FROM + Math.floor(Math.random() * (TO - FROM));
    for (const each of [2, limit]) await upTo(each).run(ask, facts, origin);
  },
};

/** The checks of `/delay` and `/primes` in the contract of the servers (docs/contract.md). */
export const PARAMETER_CHECKS: readonly ConformanceCheck[] = [
  delayCounter,
  delayParallel,
  anyLimit,
];
