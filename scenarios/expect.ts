import { Mismatch } from "../src/model/errors.ts";
import type { Check, HttpRequest, HttpResponse } from "../src/model/scenario.ts";

/** A GET request for a path. */
export function get(path: string): HttpRequest {
  return { method: "GET", path, headers: {}, body: null };
}

/** A POST request of JSON to a path. */
export function post(path: string, body: unknown): HttpRequest {
  const headers = { "content-type": "application/json" };
  return { method: "POST", path, headers, body: JSON.stringify(body) };
}

/** A check that sends one request and looks at its response. */
export function check(
  name: string,
  request: HttpRequest,
  look: (response: HttpResponse, facts: Parameters<Check["run"]>[1]) => void | Promise<void>,
): Check {
  return { name, run: async (ask, facts) => await look(await ask(request), facts) };
}

/** Fails unless the response has this status and this content type (compared without case). */
export function expectHead(response: HttpResponse, status: number, type?: string): void {
  if (response.status !== status) {
    throw new Mismatch(`status ${status}`, `${response.status} ${excerpt(response.text)}`);
  }
  if (type === undefined) return;
  const got = (response.headers.get("content-type") ?? "none").toLowerCase().replaceAll(" ", "");
  // JSON is UTF-8 whether its type says so or not: https://www.rfc-editor.org/rfc/rfc8259#section-8.1
  const essential = type === "application/json" ? got.replace(";charset=utf-8", "") : got;
  if (essential !== type) throw new Mismatch(`content type ${type}`, got);
}

/** Fails unless the response has a 2xx status. */
export function expectSuccess({ status, headers, text }: HttpResponse): void {
  if (status >= 200 && status < 300) return;
  const to = headers.get("location");
  throw new Mismatch("a 2xx status", `${status} ${to === null ? excerpt(text) : `to ${to}`}`);
}

/** Fails unless the response is exactly this text. */
export function expectText(response: HttpResponse, text: string): void {
  if (response.text !== text) throw new Mismatch(excerpt(text), excerpt(response.text));
}

/** The response's body, parsed; fails unless it is a JSON response with status 200. */
export function json(response: HttpResponse): unknown {
  expectHead(response, 200, "application/json");
  try {
    return JSON.parse(response.text);
  } catch {
    throw new Mismatch("JSON", excerpt(response.text));
  }
}

/** Fails unless both values are the same JSON but for the order of keys. */
export function expectEqual(got: unknown, expected: unknown): void {
  const [a, b] = [canonical(got), canonical(expected)];
  if (a === b) return;
  let at = 0;
  while (a[at] === b[at]) at++;
  const from = Math.max(0, at - 20);
  throw new Mismatch(excerpt(b.slice(from)), excerpt(a.slice(from)));
}

/** Fails unless the value is a time within a minute of now. */
export function expectFresh(value: unknown): void {
  const time = typeof value === "string" ? Date.parse(value) : NaN;
  if (!(Math.abs(Date.now() - time) < 60_000)) {
    throw new Mismatch(`the time now, such as ${new Date().toISOString()}`, JSON.stringify(value));
  }
}

function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, part) =>
      part !== null && typeof part === "object" && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => a < b ? -1 : 1))
        : part,
  ) ?? "nothing";
}

function excerpt(text: string): string {
  return text.length <= 120 ? text || "an empty body" : `${text.slice(0, 120)}...`;
}
