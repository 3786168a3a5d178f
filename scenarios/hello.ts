import { Mismatch } from "../src/model/errors.ts";
import type { HttpResponse, Scenario } from "../src/model/scenario.ts";
import { check, expectEqual, expectHead, expectText, get, json } from "./expect.ts";
import { USUAL } from "./usual.ts";

const WAIT_MS = 100;

function expectLater(response: HttpResponse): void {
  expectHead(response, 200, "text/plain;charset=utf-8");
  expectText(response, "Hello, World!");
}

/** The request of a published comparison in which servers mostly wait: a short text after 100 ms. */
export const hello: Scenario = {
  ...USUAL,
  id: "hello",
  title: "13 bytes of text after 100 ms",
  request: get("/hello-later"),
  checks: [
    check("returns Hello, World!", get("/hello-later"), expectLater),
    {
      name: "waits 100 ms",
      async run(ask): Promise<void> {
        const start = performance.now();
        await ask(get("/hello-later"));
        const tookMs = Math.round(performance.now() - start);
        if (tookMs < WAIT_MS - 1) throw new Mismatch(`a wait of ${WAIT_MS} ms`, `${tookMs} ms`);
      },
    },
  ],
  expect: expectLater,
  connections: 100,
  isDefault: false,
};

function expectMessage(response: HttpResponse): void {
  expectEqual(json(response), { message: "Hello, World" });
}

/** The first request of another published comparison (Encore.ts): a constant object as JSON. */
export const getHello: Scenario = {
  ...USUAL,
  id: "get-hello",
  title: "A constant object as JSON",
  request: get("/hello"),
  checks: [check("returns the message", get("/hello"), expectMessage)],
  expect: expectMessage,
  isDefault: false,
};
