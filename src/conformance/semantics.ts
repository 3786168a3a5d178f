/** Checks of single responses against HTTP and the contract of the servers (docs/contract.md). */
import { expectHead, get } from "../../scenarios/expect.ts";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { text } from "../../scenarios/text.ts";
import { Mismatch } from "../model/errors.ts";
import type { HttpResponse, Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { pause } from "../process/pause.ts";
import { type ConformanceCheck, readResponse, wireText } from "./http.ts";

/** Maximum time until a server updates its date, in ms: each second, by a timer that may be late. */
const SECOND_MS = 1500;
/** How long to wait for a body that must not come, in milliseconds. */
const BODY_MS = 500;
/** Fast variants of slow paths, by scenario. */
const QUICK: Readonly<Record<string, string>> = {
  delay: "/delay?ms=0",
  primes: "/primes?limit=10",
};
/** Scenarios with the same bytes in every response. */
const STABLE: readonly string[] = ["text", "delay"];
/**
 * Invalid parameters by scenario: not a number, or out of range. The third path asks for a delay of
 * every millionth request only, so a server that wrongly accepts 60,001 ms does not delay the
 * check.
 */
const BAD: Readonly<Record<string, readonly string[]>> = {
  delay: ["/delay?ms=-1", "/delay?ms=soon", "/delay?ms=60001&every=1000000", "/delay?ms=0&every=0"],
  primes: ["/primes?limit=1", "/primes?limit=many", "/primes?limit="],
};

export const SEMANTIC_CHECKS: readonly ConformanceCheck[] = [
  {
    id: "date",
    name: "sends a Date header",
    async run({ ask, abort }): Promise<void> {
      const first = dateOf(await ask(text.request));
      await pause(SECOND_MS, abort);
      const second = dateOf(await ask(text.request));
      if (second > first) return;
      throw new Mismatch(
        `a later Date ${SECOND_MS / 1000} s after ${new Date(first).toUTCString()}`,
        new Date(second).toUTCString(),
      );
    },
  },
  {
    id: "unknown-path",
    name: "answers 404 for an unknown path",
    async run({ ask }): Promise<void> {
      expectHead(await ask(get(`/nothing-${crypto.randomUUID()}`)), 404);
    },
  },
  {
    id: "head",
    name: "answers HEAD as GET, without the body",
    isAdvice: true,
    async run({ open, server, ask }): Promise<void> {
      for (const { id, request } of scenariosOf(server)) {
        if (request.method !== "GET") continue;
        const path = QUICK[id] ?? request.path;
        const whole = await ask(get(path));
        using wire = await open();
        await wire.write(wireText({ ...get(path), method: "HEAD" }, { connection: "close" }));
        const response = await readResponse(wire, `a response to HEAD ${path}`, "HEAD");
        expectSameHead(whole, response, path, STABLE.includes(id));
        const { bytes } = await wire.readRest(BODY_MS);
        if (bytes.length > 0) {
          throw new Mismatch(`no body in the response to HEAD ${path}`, `${bytes.length} bytes`);
        }
      }
    },
  },
  {
    id: "method",
    name: "answers 405 with Allow to another method",
    isAdvice: true,
    async run({ server, ask }): Promise<void> {
      for (const { request } of scenariosOf(server)) {
        const path = request.path.split("?")[0] ?? "";
        const method = request.method === "GET" ? "POST" : "GET";
        const { status, headers } = await ask({ ...get(path), method });
        const asked = `for ${method} ${path}`;
        if (status !== 405) throw new Mismatch(`status 405 ${asked}`, String(status));
        const allow = headers.get("allow");
        if (!allow?.split(/\s*,\s*/).includes(request.method)) {
          throw new Mismatch(`${request.method} in Allow ${asked}`, allow ?? "no Allow");
        }
      }
    },
  },
  {
    id: "bad-parameter",
    name: "answers 400 to a bad parameter",
    isAdvice: true,
    scenarios: Object.keys(BAD),
    async run({ server, ask }): Promise<void> {
      for (const [id, paths] of Object.entries(BAD)) {
        for (const path of id in server.scenarios ? paths : []) {
          const { status } = await ask(get(path));
          if (status !== 400) throw new Mismatch(`status 400 for ${path}`, String(status));
        }
      }
    },
  },
];

function scenariosOf({ scenarios }: Server): Scenario[] {
  return SCENARIOS.filter(({ id, protocol }) => id in scenarios && protocol === "http");
}

/** Returns the date in a response in ms: https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1 */
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

function expectSameHead(
  get: HttpResponse,
  head: HttpResponse,
  path: string,
  isStable: boolean,
): void {
  const expectSame = (what: string, expected: string | null, got: string | null): void => {
    if (expected === got) return;
    throw new Mismatch(`${what} ${expected ?? "none"} for HEAD ${path} as for GET`, got ?? "none");
  };
  expectSame("status", String(get.status), String(head.status));
  expectSame("Content-Type", get.headers.get("content-type"), head.headers.get("content-type"));
  // A length is optional: https://www.rfc-editor.org/rfc/rfc9110#section-8.6
  if (!isStable || !head.headers.has("content-length")) return;
  const length = String(new TextEncoder().encode(get.text).length);
  expectSame("Content-Length", length, head.headers.get("content-length"));
}
