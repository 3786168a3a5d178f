import type { HttpAnswer, Scenario } from "../src/model/scenario.ts";
import { check, expectHead, expectText, get } from "./expect.ts";

function expect(answer: HttpAnswer): void {
  expectHead(answer, 200, "text/plain;charset=utf-8");
  expectText(answer, "Hello world");
}

/** Fixed text: the cost of HTTP itself. */
export const text: Scenario = {
  id: "text",
  title: "Fixed text",
  request: get("/"),
  queries: 0,
  checks: [check("answers Hello world", get("/"), expect)],
  expect,
  underLoad: "same",
  connections: null,
  warmupS: null,
  cycle: null,
  isDefault: true,
};
