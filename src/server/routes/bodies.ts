/** Routes that read a request's body, within the limits on its size, number of pieces and time. */
import { Ajv, type ValidateFunction } from "ajv";
import { Buffer } from "node:buffer";
import { HttpError, parameter, problem, type RouteHandler } from "../http.ts";
import { LIMITS } from "../limits.ts";

const REQUEST = {
  type: "object",
  properties: {
    header: { type: "object", required: ["x-foo"], properties: { "x-foo": { type: "string" } } },
    query: {
      type: "object",
      properties: { excitement: { type: "string", pattern: "^-?[0-9]+$" } },
    },
    body: {
      type: "object",
      required: ["requiredKey"],
      properties: {
        requiredKey: { type: "array", maxItems: 3, items: { type: "integer" } },
        someKey: { type: "string" },
        someOtherKey: { type: "number" },
        nullableKey: { type: ["number", "null"] },
        multipleTypesKey: { type: ["boolean", "number"] },
        multipleRestrictedTypesKey: {
          anyOf: [{ type: "string", maxLength: 5 }, { type: "number", minimum: 10 }],
        },
        enumKey: { enum: ["John", "Foo"] },
      },
    },
  },
};

const isValid: ValidateFunction = new Ajv({ allowUnionTypes: true }).compile(REQUEST);
/** For invalid requests, because collecting all errors would slow down the valid ones too. */
const explain: ValidateFunction = new Ajv({ allowUnionTypes: true, allErrors: true })
  .compile(REQUEST);

// A header value is always a string, so only its presence is checked.
const FOO = { "x-foo": "" };
const NO_FOO = {};

/** Handles `POST /schema`: validates header, query and body. Async would cost another promise. */
export const schema: RouteHandler = (request, url) => {
  const { headers } = request;
  // `has` first: it makes Deno read all headers with one call, but each `get` before it is a call
  const header = headers.has("x-foo") ? FOO : NO_FOO;
  const type = headers.get("content-type");
  if (type !== "application/json" && !/^application\/json *(;|$)/i.test(type ?? "")) {
    throw new HttpError(415, "The content type must be application/json");
  }
  // `name` may be any string, and a query only contains strings.
  const query = { excitement: parameter(url, "excitement") };
  return readJson(request, headers.get("content-length"))
    .then((body) => respondTo({ header, query, body }), refuse);
};

function respondTo(parts: Readonly<Record<"header" | "query" | "body", unknown>>): Response {
  if (isValid(parts)) return Response.json({ message: "Hello, World" });
  explain(parts);
  const errors = (explain.errors ?? []).map(({ instancePath, message = "is invalid", params }) => {
    const allowed = params.allowedValues ? `: ${params.allowedValues.join(", ")}` : "";
    return { at: instancePath.slice(1), message: message + allowed };
  });
  return problem(400, "The request breaks the contract of /schema", { errors });
}

/** Handles `POST /upload`: sends the length of the body and its SHA-256. */
export const upload: RouteHandler = async (request) => {
  const length = request.headers.get("content-length");
  const body = await readBytes(request, length, LIMITS.MAX_UPLOAD_BYTES).catch(refuse);
  const digest = await crypto.subtle.digest("SHA-256", body);
  return Response.json({ bytes: body.length, sha256: Buffer.from(digest).toString("hex") });
};

/** Reads JSON; {@linkcode refuse} converts a rejection. Not async: that adds a promise. */
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
function readBytes(
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

/** Throws the error of a read as an HttpError: 400 unless it is one already. */
function refuse(error: unknown): never {
  if (error instanceof HttpError) throw error;
  if (!(error instanceof SyntaxError)) throw new HttpError(400, "The body is incomplete");
  throw new HttpError(400, `The body is not valid JSON: ${error.message}`);
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
