import type { Scenario } from "../src/model.ts";
import { check, expectHead, expectText, get } from "./expect.ts";

/** Fixed text: the cost of HTTP itself. */
export const text: Scenario = {
  id: "text",
  title: "Fixed text",
  request: get("/"),
  usesDatabase: false,
  checks: [
    check("answers Hello world", get("/"), (answer) => {
      expectHead(answer, 200, "text/plain;charset=utf-8");
      expectText(answer, "Hello world");
    }),
  ],
  underLoad: "same",
  connections: null,
  cycle: null,
};
