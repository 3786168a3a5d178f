import { expectSideBySide } from "../../scenarios/delay.ts";
import { expectHead, get } from "../../scenarios/expect.ts";
import { upTo } from "../../scenarios/primes.ts";
import { text } from "../../scenarios/text.ts";
import { Mismatch } from "../model/errors.ts";
import type { HttpRequest, HttpResponse } from "../model/scenario.ts";
import { pause } from "../process/pause.ts";
import {
  type ConformanceCheck,
  implementing,
  isFull,
  readResponse,
  scenariosOf,
  UNKNOWN_PATH,
  unknownPath,
  wireText,
} from "./http.ts";
import { Wire } from "./wire.ts";

/**
 * Maximum time until the date in a server's responses advances, in milliseconds. Servers update the
 * date once a second, some by a timer that may be late.
 */
const SECOND_MS = 1500;
/** How long to wait for a body that must not come, in milliseconds. */
const BODY_MS = 500;

const date: ConformanceCheck = {
  id: "date",
  name: "sends a Date header",
  level: "must",
  applies: isFull,
  async run({ ask, abort }): Promise<void> {
    const first = dateOf(await ask(text.request));
    await pause(SECOND_MS, abort);
    const second = dateOf(await ask(text.request));
    if (second <= first) {
      throw new Mismatch(
        `a later Date ${SECOND_MS / 1000} s after ${new Date(first).toUTCString()}`,
        new Date(second).toUTCString(),
      );
    }
  },
};

/**
 * Returns the date in a response in ms: https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1
 *
 * @throws {Mismatch} if it is invalid or more than a minute off.
 */
function dateOf({ headers }: HttpResponse): number {
  const field = headers.get("date");
  const time = Date.parse(field ?? "");
  // ECMAScript formats dates like IMF-fixdate.
  if (Number.isNaN(time) || new Date(time).toUTCString() !== field) {
    throw new Mismatch(`a Date such as ${new Date().toUTCString()}`, field ?? "none");
  }
  if (Math.abs(Date.now() - time) > 60_000) {
    throw new Mismatch(`a Date within a minute of ${new Date().toUTCString()}`, field);
  }
  return time;
}

const unknown: ConformanceCheck = {
  id: UNKNOWN_PATH,
  name: "answers 404 for an unknown path",
  level: "must",
  applies: isFull,
  async run({ ask }): Promise<void> {
    expectHead(await ask(get(unknownPath())), 404);
  },
};

/**
 * Paths with fast responses, by scenario. The checks use them in place of the slow paths of these
 * scenarios.
 */
const QUICK: Readonly<Record<string, string>> = {
  delay: "/delay?ms=0",
  primes: "/primes?limit=10",
};
/** Scenarios with the same bytes in every response. */
const STABLE: readonly string[] = ["text", "delay"];

const head: ConformanceCheck = {
  id: "head",
  name: "answers HEAD as GET, without the body",
  level: "should",
  applies: isFull,
  async run({ origin, server, ask, abort }): Promise<void> {
    for (const { id, request } of scenariosOf(server)) {
      if (request.method !== "GET") continue;
      const path = QUICK[id] ?? request.path;
      const whole = await ask(get(path));
      using wire = await Wire.open(origin, abort);
      await wire.write(wireText({ ...get(path), method: "HEAD" }, { connection: "close" }));
      const response = await readResponse(wire, `a response to HEAD ${path}`, "HEAD");
      for (const [what, expected, got] of differences(whole, response, STABLE.includes(id))) {
        throw new Mismatch(`${what} ${expected} for HEAD ${path} as for GET`, got);
      }
      const { bytes } = await wire.readRest(BODY_MS);
      if (bytes.length > 0) {
        throw new Mismatch(`no body in the response to HEAD ${path}`, `${bytes.length} bytes`);
      }
    }
  },
};

type Difference = readonly [what: string, expected: string, got: string];

/** Returns the differences between the responses to HEAD and to GET. */
function differences(
  get: HttpResponse,
  head: HttpResponse,
  isStable: boolean,
): Difference[] {
  const field = ({ headers }: HttpResponse, name: string): string => headers.get(name) ?? "none";
  // A length is optional: https://www.rfc-editor.org/rfc/rfc9110#section-8.6
  const hasLength = isStable && head.headers.has("content-length");
  const length = String(new TextEncoder().encode(get.text).length);
  const compared: Difference[] = [
    ["status", String(get.status), String(head.status)],
    ["Content-Type", field(get, "content-type"), field(head, "content-type")],
  ];
  if (hasLength) compared.push(["Content-Length", length, field(head, "content-length")]);
  return compared.filter(([, expected, got]) => expected !== got);
}

const method: ConformanceCheck = {
  id: "method",
  name: "answers 405 with Allow to another method",
  level: "should",
  applies: isFull,
  async run({ server, ask }): Promise<void> {
    for (const { request } of scenariosOf(server)) {
      const path = request.path.split("?")[0] ?? "";
      const wrong: HttpRequest = {
        ...get(path),
        method: request.method === "GET" ? "POST" : "GET",
      };
      const { status, headers } = await ask(wrong);
      const asked = `for ${wrong.method} ${path}`;
      if (status !== 405) throw new Mismatch(`status 405 ${asked}`, String(status));
      const allow = headers.get("allow");
      if (!allow?.split(/\s*,\s*/).includes(request.method)) {
        throw new Mismatch(`${request.method} in Allow ${asked}`, allow ?? "no Allow");
      }
    }
  },
};

/**
 * Invalid parameters by scenario: not a number, or out of range. The third path asks for a delay of
 * every millionth request only. So a server that wrongly accepts 60,001 ms does not delay the
 * check.
 */
const BAD: Readonly<Record<string, readonly string[]>> = {
  delay: ["/delay?ms=-1", "/delay?ms=soon", "/delay?ms=60001&every=1000000", "/delay?ms=0&every=0"],
  primes: ["/primes?limit=1", "/primes?limit=many", "/primes?limit="],
};

const badParameter: ConformanceCheck = {
  id: "bad-parameter",
  name: "answers 400 to a bad parameter",
  level: "should",
  applies: implementing(...Object.keys(BAD)),
  async run({ server, ask }): Promise<void> {
    for (const [id, paths] of Object.entries(BAD)) {
      if (!(id in server.scenarios)) continue;
      for (const path of paths) {
        const { status } = await ask(get(path));
        if (status !== 400) throw new Mismatch(`status 400 for ${path}`, String(status));
      }
    }
  },
};

/**
 * The checks of single responses against HTTP and the contract of the servers (docs/contract.md).
 */
export const SEMANTIC_CHECKS: readonly ConformanceCheck[] = [
  date,
  unknown,
  head,
  method,
  badParameter,
];

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
