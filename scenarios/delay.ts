import { Mismatch } from "../src/model/errors.ts";
import type { Check, Facts, HttpResponse, Scenario } from "../src/model/scenario.ts";
import { check, expectHead, expectText, get } from "./expect.ts";
import { USUAL } from "./usual.ts";

/**
 * Time that each request waits in the check, in milliseconds. The parameters of the check (`every=1&ms=…`)
 * set it. Under load there are none: every tenth request waits 2 s.
 */
const WAIT_MS = 300;
/**
 * Maximum number of attempts of the check. A server that answers one waiting request after the other
 * fails every time; a busy machine does not.
 */
const TRIES = 3;

function expect(response: HttpResponse, { helloHtml }: Facts): void {
  expectHead(response, 200, "text/html;charset=utf-8");
  expectText(response, helloHtml);
}

/**
 * Sends `count` requests at once, each of which waits at the server. Throws a `Mismatch` unless all are
 * answered in little more than the time of one.
 */
export async function expectSideBySide(
  ask: Parameters<Check["run"]>[0],
  count: number,
): Promise<void> {
  const request = get(`/delay?every=1&ms=${WAIT_MS}`);
  for (let attempt = 1;; attempt++) {
    const start = performance.now();
    const responses = await Promise.allSettled(Array.from({ length: count }, () => ask(request)));
    const tookMs = Math.round(performance.now() - start);
    if (tookMs >= WAIT_MS && tookMs <= 5 * WAIT_MS) {
      for (const response of responses) if (response.status === "rejected") throw response.reason;
      return;
    }
    const isOneByOne = tookMs > 0.9 * count * WAIT_MS;
    if (tookMs < WAIT_MS || isOneByOne || attempt === TRIES) {
      throw new Mismatch(`${count} waits of ${WAIT_MS} ms side by side`, `${tookMs} ms for all`);
    }
  }
}

/** A file from disk. Every tenth request waits 2 s first, so 100 connections reach at most 500 req/s. */
export const delay: Scenario = {
  ...USUAL,
  id: "delay",
  title: "Every 10th request waits 2 s",
  request: get("/delay"),
  checks: [
    check("returns hello.html", get("/delay"), expect),
    { name: "waits without delaying other requests", run: (ask) => expectSideBySide(ask, 10) },
  ],
  expect,
  connections: 100,
  cycle: { every: 10, waitS: 2 },
};
