import { Buffer } from "node:buffer";
import { badBody, readBytes } from "../body.ts";
import { MAX_UPLOAD_BYTES } from "../limits.ts";
import type { RouteHandler } from "../router.ts";

/** Handles `POST /upload`: sends the length of the body and its SHA-256. */
export const upload: RouteHandler = async (request) => {
  const length = request.headers.get("content-length");
  const body = await readBytes(request, length, MAX_UPLOAD_BYTES).catch((error) => {
    throw badBody(error);
  });
  const digest = await crypto.subtle.digest("SHA-256", body);
  return Response.json({ bytes: body.length, sha256: Buffer.from(digest).toString("hex") });
};
