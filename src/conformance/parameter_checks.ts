import { expectSideBySide } from "../../scenarios/delay.ts";
import { get } from "../../scenarios/expect.ts";
import { upTo } from "../../scenarios/primes.ts";
import { Mismatch } from "../model/errors.ts";
import { type ConformanceCheck, implementing } from "./check.ts";

const EVERY = 4;
const CYCLES = 3;
/** Long beside all else that may hold up a response; half of it tells waiting from not waiting. */
const WAIT_MS = 800;

const delayCounter: ConformanceCheck = {
  id: "delay-counter",
  name: "counts the requests of all connections together",
  level: "must",
  applies: implementing("delay"),
  async run({ ask }): Promise<void> {
    const waits: number[] = [];
    // A counter of each connection's own never gets to four, since each request has its connection.
    // Counters of several processes or threads come to four one shortly after another, or irregularly.
    for (let i = 0; i < CYCLES * EVERY; i++) {
      const start = performance.now();
      await ask(get(`/delay?every=${EVERY}&ms=${WAIT_MS}`));
      if (performance.now() - start > WAIT_MS / 2) waits.push(i + 1);
    }
    const isRegular = waits.every((at, i) => i === 0 || at - (waits[i - 1] ?? 0) === EVERY);
    if (waits.length !== CYCLES || !isRegular) {
      throw new Mismatch(
        `every ${EVERY}th of ${CYCLES * EVERY} requests on as many connections to wait`,
        waits.length === 0 ? "no wait" : `waits at the requests ${waits.join(", ")}`,
      );
    }
  },
};

const PARALLEL = 20;

const delayParallel: ConformanceCheck = {
  id: "delay-parallel",
  name: `lets ${PARALLEL} requests wait side by side`,
  level: "must",
  applies: implementing("delay"),
  async run({ server, ask }): Promise<void> {
    await expectSideBySide(ask, Math.min(PARALLEL, server.maxConnections ?? PARALLEL));
  },
};

/** The scenario's own limits are fixed, and a server might know them. Larger ones are slow to check. */
const [FROM, TO] = [1000, 30_000];

const anyLimit: ConformanceCheck = {
  id: "any-limit",
  name: "answers the primes up to any limit",
  level: "must",
  applies: implementing("primes"),
  async run({ ask, facts, origin }): Promise<void> {
    const limit = FROM + Math.floor(Math.random() * (TO - FROM));
    for (const each of [2, limit]) await upTo(each).run(ask, facts, origin);
  },
};

/** What the contract says of waiting and computing. */
export const PARAMETER_CHECKS: readonly ConformanceCheck[] = [
  delayCounter,
  delayParallel,
  anyLimit,
];
