/** Reads request bodies within the limits on size, number of pieces and time. */
import { Buffer } from "node:buffer";
import { LIMITS } from "./limits.ts";
import { HttpError } from "./problem.ts";

/**
 * Reads a body as JSON; {@linkcode badBody} converts a rejection into the error for the client. Not
 * async: that would add a promise to the one that Deno returns for a short body.
 */
export function readJson(request: Request, length: string | null): Promise<unknown> {
  if (hasLength(length, LIMITS.MAX_JSON_BYTES)) return request.json();
  return readBytes(request, length, LIMITS.MAX_JSON_BYTES)
    .then((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
}

/**
 * Reads a body of up to `limit` bytes; `length` is the header `content-length`. If it is missing or
 * too large, an error also closes the connection.
 *
 * @throws {HttpError} 413 if the body is larger, 400 if its pieces are too small, 408 if it takes
 *   too long. Other errors mean that the body is incomplete.
 */
export function readBytes(
  request: Request,
  length: string | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (hasLength(length, limit)) return request.bytes();
  const reader = readerOf(request.body ?? new Blob().stream());
  const reading = Number(length) > limit
    ? Promise.reject(tooLarge(limit))
    : inTime(readPieces(reader, limit));
  return reading.catch((error) => {
    // The connection closes then. Until then, Deno would read the body if it had no reader
    setTimeout(() => reader.cancel().catch(() => {}), LIMITS.REFUSAL_MS);
    throw error;
  });
}

/** Converts a rejection of a read into an HttpError: 400 unless it is one already. */
export function badBody(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!(error instanceof SyntaxError)) return new HttpError(400, "The body is incomplete");
  return new HttpError(400, `The body is not valid JSON: ${error.message}`);
}

/** Returns whether the length is known and allowed. Deno reads such a body in linear time. */
function hasLength(length: string | null, limit: number): boolean {
  return length !== null && /^\d+$/.test(length) && Number(length) <= limit;
}

type Reader = ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

function readerOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): Reader {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return body.getReader(); // it has arrived completely and is not a byte stream
  }
}

async function readPieces(reader: Reader, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { value } = await reader.read(new Uint8Array(LIMITS.PIECE_BYTES));
    if (value === undefined || value.length === 0) return Buffer.concat(pieces);
    size += value.length;
    if (size > limit) throw tooLarge(limit);
    pieces.push(value);
    if (pieces.length <= LIMITS.FREE_PIECES + size / LIMITS.MIN_PIECE_BYTES) continue;
    throw new HttpError(
      400,
      `The body must not arrive in more than ${LIMITS.FREE_PIECES} pieces of less than ` +
        `${LIMITS.MIN_PIECE_BYTES} bytes on average`,
    );
  }
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = new HttpError(408, `The body must arrive within ${LIMITS.BODY_MS / 1000} s`);
    const timer = setTimeout(() => reject(late), LIMITS.BODY_MS);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, `The body must not be larger than ${limit} bytes`);
}
