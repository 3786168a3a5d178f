import type { HttpResponse, Scenario } from "../src/model/scenario.ts";
import { check, expectEqual, expectFresh, get, json as parse } from "./expect.ts";
import { USUAL } from "./usual.ts";

function expect(response: HttpResponse): void {
  const { ts, ...rest } = parse(response) as Record<string, unknown>;
  expectEqual(rest, { message: "Hello world" });
  expectFresh(ts);
}

/** A small object, serialised for every request. */
export const json: Scenario = {
  ...USUAL,
  id: "json",
  title: "Small JSON with the time",
  request: get("/json"),
  checks: [check("returns the message and the current time", get("/json"), expect)],
  expect,
  underLoad: /^\{\s*(("message":\s*"Hello world"|"ts":\s*"[^"]+")\s*,?\s*){2}\}\s*$/,
};
