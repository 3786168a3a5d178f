import type { HttpResponse, Scenario } from "../src/model/scenario.ts";
import { check, expectHead, expectText, get } from "./expect.ts";
import { USUAL } from "./usual.ts";

function expect(response: HttpResponse): void {
  expectHead(response, 200, "text/plain;charset=utf-8");
  expectText(response, "Hello world");
}

/** A fixed text, which shows the cost of HTTP itself. */
export const text: Scenario = {
  ...USUAL,
  id: "text",
  title: "Fixed text",
  request: get("/"),
  checks: [check("returns Hello world", get("/"), expect)],
  expect,
};
