import { Mismatch } from "./errors.ts";

/** The longest body that is read, in bytes: a server may send one that never ends. */
export const LONGEST_BODY = 64 * 2 ** 20;

/** What is wrong with a longer one. */
export function tooLong(): Mismatch {
  return new Mismatch(`a body of ${LONGEST_BODY / 2 ** 20} MiB at most`, "more");
}

/**
 * The body of an answer as text, with its byte order mark if it has one.
 *
 * @throws {Mismatch} if it is longer than {@linkcode LONGEST_BODY}.
 */
export async function textOf(response: Response): Promise<string> {
  const length = Number(response.headers.get("content-length") ?? NaN);
  const bytes = length <= LONGEST_BODY ? await response.bytes() : await readCounted(response);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

async function readCounted(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LONGEST_BODY) throw tooLong();
    chunks.push(chunk);
  }
  return await new Blob(chunks).bytes();
}
