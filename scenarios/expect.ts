import { Mismatch } from "../src/model/errors.ts";
import type { Check, HttpRequest, HttpResponse } from "../src/model/scenario.ts";

/** Pause of a repeated check, in ms. A body with the time in whole seconds changes within it. */
const SECOND_MS = 1050;

/** Returns a GET request for a path. */
export function get(path: string): HttpRequest {
  return { method: "GET", path, headers: {}, body: null };
}

/** Returns a POST request with a JSON body. */
export function post(path: string, body: unknown): HttpRequest {
  const headers = { "content-type": "application/json" };
  return { method: "POST", path, headers, body: JSON.stringify(body) };
}

/** Returns a check that sends one request. `verify` throws if the response is wrong. */
export function check(
  name: string,
  request: HttpRequest,
  verify: (response: HttpResponse, facts: Parameters<Check["run"]>[1]) => void | Promise<void>,
): Check {
  return { name, run: async (ask, facts) => await verify(await ask(request), facts) };
}

/**
 * Returns two checks that send the same request, a second apart. They show whether its body changes with
 * the time. `verify` throws if a response is wrong.
 */
export function checkTwice(
  name: string,
  request: HttpRequest,
  verify: Parameters<typeof check>[2],
): Check[] {
  const first = check(name, request, verify);
  const again = async (...args: Parameters<Check["run"]>): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
    await first.run(...args);
  };
  return [first, { name: `${name} again, after a second`, run: again }];
}

/**
 * Checks the status, and the content type if one is given. Ignores the case of the content type. Throws a
 * `Mismatch` if one differs.
 */
export function expectHead(response: HttpResponse, status: number, type?: string): void {
  if (response.status !== status) {
    throw new Mismatch(`status ${status}`, `${response.status} ${excerpt(response.text)}`);
  }
  if (type === undefined) return;
  const got = (response.headers.get("content-type") ?? "none").toLowerCase().replaceAll(" ", "");
  // JSON is UTF-8 whether or not its type says so: https://www.rfc-editor.org/rfc/rfc8259#section-8.1
  const essential = type === "application/json" ? got.replace(";charset=utf-8", "") : got;
  if (essential !== type) throw new Mismatch(`content type ${type}`, got);
}

/**
 * Checks for status 200 and a content type, with or without the charset UTF-8. Throws a `Mismatch` if one
 * differs.
 */
export function expectType(response: HttpResponse, type: string): void {
  const hasCharset = response.headers.get("content-type")?.includes("=");
  expectHead(response, 200, hasCharset ? `${type};charset=utf-8` : type);
}

/**
 * Checks that a response has the headers `date` and `server`, as TechEmpower's rules require. Throws a
 * `Mismatch` if one is missing.
 */
export function expectNamed({ headers }: HttpResponse): void {
  for (const name of ["server", "date"]) {
    if (!headers.get(name)) throw new Mismatch(`the header ${name}`, "none");
  }
}

/** Checks that the status is 2xx; throws a `Mismatch` if it is not. */
export function expectSuccess({ status, headers, text }: HttpResponse): void {
  if (status >= 200 && status < 300) return;
  const to = headers.get("location");
  throw new Mismatch("a 2xx status", `${status} ${to === null ? excerpt(text) : `to ${to}`}`);
}

/** Checks that the body is exactly this text; throws a `Mismatch` if it is not. */
export function expectText(response: HttpResponse, text: string): void {
  if (response.text !== text) throw new Mismatch(excerpt(text), excerpt(response.text));
}

/** Parses the body of a response; throws a `Mismatch` unless it is JSON with status 200. */
export function json(response: HttpResponse): unknown {
  expectHead(response, 200, "application/json");
  try {
    return JSON.parse(response.text);
  } catch {
    throw new Mismatch("JSON", excerpt(response.text));
  }
}

/** Checks that two values are the same JSON in any order of keys; throws a `Mismatch` if they differ. */
export function expectEqual(got: unknown, expected: unknown): void {
  const [a, b] = [canonical(got), canonical(expected)];
  if (a === b) return;
  let at = 0;
  while (a[at] === b[at]) at++;
  const from = Math.max(0, at - 20);
  throw new Mismatch(excerpt(b.slice(from)), excerpt(a.slice(from)));
}

/** Checks that a value is a time within a minute of now; throws a `Mismatch` if it is not. */
export function expectFresh(value: unknown): void {
  const time = typeof value === "string" ? Date.parse(value) : NaN;
  if (Math.abs(Date.now() - time) < 60_000) return;
  const now = new Date().toISOString();
  throw new Mismatch(`the current time, such as ${now}`, JSON.stringify(value));
}

function canonical(value: unknown): string {
  const sorted = (_key: string, part: unknown): unknown =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => a < b ? -1 : 1))
      : part;
  return JSON.stringify(value, sorted) ?? "nothing";
}

function excerpt(text: string): string {
  return text.length <= 120 ? text || "an empty body" : `${text.slice(0, 120)}...`;
}
