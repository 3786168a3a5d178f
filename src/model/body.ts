import { Mismatch } from "./errors.ts";

/** The longest body that is read, in bytes once it is expanded: a server may send one that never ends. */
export const LONGEST_BODY = 64 * 2 ** 20;

/** Bytes that are read before the first copy. */
const SMALLEST = 64 * 2 ** 10;

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
  const { headers } = response;
  // Of a compressed body, the length says nothing of what it expands to
  const length = headers.has("content-encoding")
    ? NaN
    : Number(headers.get("content-length") ?? NaN);
  const bytes = length <= LONGEST_BODY ? await response.bytes() : await readCounted(response);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

async function readCounted(response: Response): Promise<Uint8Array> {
  let bytes = new Uint8Array(SMALLEST);
  let size = 0;
  for await (const chunk of response.body ?? []) {
    if (size + chunk.length > LONGEST_BODY) throw tooLong();
    if (size + chunk.length > bytes.length) {
      const larger = new Uint8Array(2 * (size + chunk.length));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(chunk, size); // a chunk that is kept would hold 64 KiB, however short it is
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}
