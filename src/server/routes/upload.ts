import { Buffer } from "node:buffer";
import { HttpError } from "../problem.ts";
import type { Handler } from "../router.ts";

const MOST_BYTES = 1_000_000;

/** `POST /upload`: how long the body is, and its SHA-256. */
export const upload: Handler = async (request) => {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > MOST_BYTES) throw tooLarge();
  const body = await request.bytes().catch(() => {
    throw new HttpError(400, "The body did not arrive whole");
  });
  if (body.length > MOST_BYTES) throw tooLarge();
  const digest = await crypto.subtle.digest("SHA-256", body);
  return Response.json({ bytes: body.length, sha256: Buffer.from(digest).toString("hex") });
};

function tooLarge(): HttpError {
  return new HttpError(413, `The body must not be larger than ${MOST_BYTES} bytes`);
}
