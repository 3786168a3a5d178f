import type { HttpResponse, Scenario } from "../../src/model/scenario.ts";
import { check, expectNamed, expectText, expectType, get } from "../expect.ts";
import { USUAL } from "../usual.ts";

/** Number of requests that a connection sends at once: the same as in TechEmpower's load generator. */
const DEPTH = 16;
const request = get("/plaintext");

function expect(response: HttpResponse): void {
  expectType(response, "text/plain");
  expectText(response, "Hello, World!");
  expectNamed(response);
}

/** The smallest response, with pipelined requests. */
export const plaintext: Scenario = {
  ...USUAL,
  id: "plaintext",
  title: `"Hello, World!", ${DEPTH} requests at once on each connection`,
  request,
  checks: [check("returns the greeting", request, expect)],
  expect,
  pipelined: DEPTH,
  isDefault: false,
};
