import { createHash } from "node:crypto";
import type { HttpRequest, HttpResponse, Scenario } from "../../src/model/scenario.ts";
import { check, expectEqual, json } from "../expect.ts";
import { USUAL } from "../usual.ts";

const SIZE = 1_000_000;
/**
 * Multiplier of a simple pseudo-random generator: its multiples modulo 2^32 look like random numbers.
 * https://en.wikipedia.org/wiki/Hash_function#Fibonacci_hashing
 */
const GOLDEN = 2_654_435_769;

function upload(body: string): HttpRequest {
  const headers = { "content-type": "application/octet-stream" };
  return { method: "POST", path: "/upload", headers, body };
}

/** Returns pseudo-random letters and digits, the same in every run. */
function bodyOf(size: number): string {
  let text = "";
  for (let i = 1; text.length < size; i++) text += (Math.imul(i, GOLDEN) >>> 0).toString(36);
  return text.slice(0, size);
}

function expectOf(body: string): (response: HttpResponse) => void {
  const sha256 = createHash("sha256").update(body).digest("hex");
  return (response) => expectEqual(json(response), { bytes: body.length, sha256 });
}

const body = bodyOf(SIZE);
const request = upload(body);
const expect = expectOf(body);

/** A body of 1 MB, which the server must read completely. */
export const uploads: Scenario = {
  ...USUAL,
  id: "upload",
  title: "an upload of 1 MB; the response is its length and SHA-256",
  request,
  checks: [
    check("returns the length and SHA-256 of 1 MB", request, expect),
    check("returns the length and SHA-256 of a short body", upload("short"), expectOf("short")),
    check("returns the length and SHA-256 of an empty body", upload(""), expectOf("")),
  ],
  expect,
  isDefault: false,
};
