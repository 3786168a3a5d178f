/** Bodies of responses. This file imports no schemas, so the processes of generators load none. */
import { Mismatch } from "./errors.ts";

/** Maximum size of a response's body, in bytes after decompression. A server may send an endless body. */
export const LONGEST_BODY = 64 * 2 ** 20;

/** Returns the error for a body longer than {@linkcode LONGEST_BODY}. */
export function tooLong(): Mismatch {
  return new Mismatch(`a body of ${LONGEST_BODY / 2 ** 20} MiB at most`, "more");
}

/** Reads a body as text, with its byte order mark. Throws {@linkcode tooLong} if it is too long. */
export async function textOf(response: Response): Promise<string> {
  const { headers } = response;
  // Content-Length does not limit the size of a compressed body after decompression
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  const isShort = length !== null && Number(length) <= LONGEST_BODY;
  const bytes = isShort ? await response.bytes() : await readCounted(response);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

async function readCounted(response: Response): Promise<Uint8Array> {
  let bytes = new Uint8Array(64 * 2 ** 10);
  let size = 0;
  for await (const chunk of response.body ?? []) {
    if (size + chunk.length > LONGEST_BODY) throw tooLong();
    if (size + chunk.length > bytes.length) {
      const larger = new Uint8Array(2 * (size + chunk.length));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(chunk, size); // copied: each chunk of `fetch` keeps a buffer of 64 KiB alive
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}

/** Decodes bytes as Latin-1: one character per byte. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) {
    text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  }
  return text;
}
