import type { HttpAnswer, Scenario } from "../src/model/scenario.ts";
import { check, expectHead, expectText, get } from "./expect.ts";
import { USUAL } from "./usual.ts";

function expect(answer: HttpAnswer): void {
  expectHead(answer, 200, "text/plain;charset=utf-8");
  expectText(answer, "Hello world");
}

/** Fixed text: the cost of HTTP itself. */
export const text: Scenario = {
  ...USUAL,
  id: "text",
  title: "Fixed text",
  request: get("/"),
  checks: [check("answers Hello world", get("/"), expect)],
  expect,
};
