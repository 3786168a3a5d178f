import { Mismatch } from "../src/model/errors.ts";
import type { HttpAnswer, Scenario } from "../src/model/scenario.ts";
import { check, expectEqual, expectHead, expectText, get, json } from "./expect.ts";

const WAIT_MS = 100;

function expectLater(answer: HttpAnswer): void {
  expectHead(answer, 200, "text/plain;charset=utf-8");
  expectText(answer, "Hello, World!");
}

/** What a published comparison asks of servers that do no work: a short text, after a while. */
export const hello: Scenario = {
  id: "hello",
  title: "13 bytes of text after 100 ms",
  request: get("/hello-later"),
  queries: 0,
  checks: [
    check("answers Hello, World!", get("/hello-later"), expectLater),
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
  underLoad: "same",
  expect: expectLater,
  connections: 100,
  warmupS: null,
  cycle: null,
  isDefault: false,
};

function expectMessage(answer: HttpAnswer): void {
  expectEqual(json(answer), { message: "Hello, World" });
}

/** What another asks before it asks for validation: a constant object as JSON. */
export const getHello: Scenario = {
  id: "get-hello",
  title: "A constant object as JSON",
  request: get("/hello"),
  queries: 0,
  checks: [check("answers the message", get("/hello"), expectMessage)],
  underLoad: "same",
  expect: expectMessage,
  connections: null,
  warmupS: null,
  cycle: null,
  isDefault: false,
};
