import { createHash } from "node:crypto";
import type { HttpAnswer, HttpRequest, Scenario } from "../../src/model/scenario.ts";
import { seededRandom } from "../../src/stats/shuffle.ts";
import { check, expectEqual, json } from "../expect.ts";
import { USUAL } from "../usual.ts";

const SIZE = 1_000_000;
const SEED = 1;

function upload(body: string): HttpRequest {
  const headers = { "content-type": "application/octet-stream" };
  return { method: "POST", path: "/upload", headers, body };
}

/** Letters and digits at random, the same in every run. */
function bodyOf(size: number): string {
  const random = seededRandom(SEED);
  let text = "";
  while (text.length < size) text += random().toString(36).slice(2);
  return text.slice(0, size);
}

function expectOf(body: string): (answer: HttpAnswer) => void {
  const sha256 = createHash("sha256").update(body).digest("hex");
  return (answer) => expectEqual(json(answer), { bytes: body.length, sha256 });
}

const body = bodyOf(SIZE);
const request = upload(body);
const expect = expectOf(body);

/** A body of 1 MB, read whole. */
export const uploads: Scenario = {
  ...USUAL,
  id: "upload",
  title: "1 MB, answered by its length and SHA-256",
  request,
  checks: [
    check("answers the length and the SHA-256 of 1 MB", request, expect),
    check("answers those of a short body", upload("short"), expectOf("short")),
    check("answers those of no body", upload(""), expectOf("")),
  ],
  expect,
  isDefault: false,
};
