import { HttpError } from "./problem.ts";

/** The largest body that is read, in bytes. */
export const MAX_BODY_BYTES = 65536;

/**
 * The request's body, parsed; what it rejects with is for {@linkcode notJson}. Not async: for a short
 * body the promise is Deno's own.
 *
 * @param length the header `content-length`
 * @throws {HttpError} 413 if it is larger than {@linkcode MAX_BODY_BYTES}.
 */
export function readJson(request: Request, length: string | null): Promise<unknown> {
  const size = length === null ? NaN : Number(length);
  if (size > MAX_BODY_BYTES) throw tooLarge();
  // Without a length, or with several, the body is of unknown size: it is counted while it arrives.
  if (Number.isNaN(size)) return readCounted(request).then(JSON.parse);
  return request.json();
}

/** What a body that cannot be read is answered: it is not the server that failed. */
export function notJson(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!(error instanceof SyntaxError)) return new HttpError(400, "The body did not arrive whole");
  return new HttpError(400, `The body is not valid JSON: ${error.message}`);
}

async function readCounted(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(): HttpError {
  return new HttpError(413, `The body must not be larger than ${MAX_BODY_BYTES} bytes`);
}
