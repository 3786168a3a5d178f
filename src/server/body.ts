import { HttpError } from "./problem.ts";

/** The largest body that is read, in bytes. */
export const MAX_BODY_BYTES = 65536;

/**
 * The request's body, parsed.
 *
 * @throws {HttpError} 413 if it is larger than {@linkcode MAX_BODY_BYTES}, 400 if it is no JSON.
 */
export async function readJson(request: Request): Promise<unknown> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > MAX_BODY_BYTES) throw tooLarge();
  try {
    // Without a length the body is of unknown size: it is counted while it arrives.
    return length === null ? JSON.parse(await readText(request)) : await request.json();
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new HttpError(400, `The body is not valid JSON: ${error.message}`);
    }
    throw error;
  }
}

async function readText(request: Request): Promise<string> {
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
