import type { Check, HttpRequest, HttpResponse, Scenario } from "../src/model/scenario.ts";
import contract from "./schema_contract.json" with { type: "json" };
import { check, expectEqual, expectHead, json } from "./expect.ts";
import { USUAL } from "./usual.ts";

/**
 * One case of the contract: the status of the response, and the differences from the request that is
 * used under load.
 */
interface Case {
  readonly name: string;
  readonly status: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly rawBodyRepeat?: { prefix: string; repeat: string; times: number; suffix: string };
}

const request: HttpRequest = {
  method: "POST",
  path: contract.load.path,
  headers: contract.load.headers,
  body: JSON.stringify(contract.load.body),
};

function toCheck(of: Case): Check {
  const path = of.path ?? request.path;
  const headers = of.headers ?? request.headers;
  return check(of.name, { method: "POST", path, headers, body: bodyOf(of) }, (response) => {
    expectHead(response, of.status);
    if (of.status === 200) expect(response);
  });
}

function expect(response: HttpResponse): void {
  expectEqual(json(response), { message: "Hello, World" });
}

function bodyOf({ rawBodyRepeat: long, rawBody, body }: Case): string | null {
  if (long !== undefined) return long.prefix + long.repeat.repeat(long.times) + long.suffix;
  return rawBody ?? (body === undefined ? request.body : JSON.stringify(body));
}

/** A header, a query and a body that the server must validate. */
export const schema: Scenario = {
  ...USUAL,
  id: "schema",
  title: "POST with validation",
  request,
  checks: (contract.cases as Case[]).map(toCheck),
  expect,
};
