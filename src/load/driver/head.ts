/** The head of an HTTP/1.1 response: status line, header fields, and the framing of the body. */
import { type HttpRequest, latin1 } from "../../model/scenario.ts";

const CR = 13;
const LF = 10;

/** How a response's body ends. */
type Framing =
  /** After a number of bytes. */
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  /** When the connection closes. */
  | { readonly kind: "close" };

/** The head of a response. */
export interface Head {
  readonly status: number;
  /** Number of bytes before the body. */
  readonly length: number;
  readonly framing: Framing;
  /** Whether the connection accepts another request after this response. */
  readonly keepsAlive: boolean;
  /** Range of the value of `Date`, which alone differs in equal responses; empty without it. */
  readonly date: readonly [from: number, to: number];
}

/** Thrown if the received bytes are not a valid response. */
export class Garbage extends Error {}

/** Returns the index after the empty line that ends a head, from `from` on; -1 if there is none. */
export function endOfHead(bytes: Uint8Array, length: number, from: number): number {
  for (let i = Math.max(3, from); i < length; i++) {
    if (
      bytes[i] === LF && bytes[i - 1] === CR && bytes[i - 2] === LF && bytes[i - 3] === CR
    ) return i + 1;
  }
  return -1;
}

/**
 * Parses the first `length` bytes of a response. With `isHead` it has no body, as after HEAD.
 *
 * @throws {Garbage} if the head is invalid.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 */
export function parseHead(bytes: Uint8Array, length: number, isHead: boolean): Head {
  const text = latin1(bytes.subarray(0, length));
  const [first = "", ...lines] = text.slice(0, -4).split("\r\n");
  const [, minor, code] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(first) ?? [];
  if (code === undefined) throw new Garbage(`Invalid status line "${first.slice(0, 40)}"`);
  const status = Number(code);
  let contentLength: number | null = null;
  let isChunked = false;
  let keepsAlive = minor === "1";
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Garbage(`Invalid header field "${line.slice(0, 40)}"`);
    const value = line.slice(colon + 1).trim();
    switch (line.slice(0, colon).toLowerCase()) {
      case "content-length": {
        const bytes = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
        if (Number.isNaN(bytes) || (contentLength ?? bytes) !== bytes) {
          throw new Garbage(`Invalid content-length "${value.slice(0, 40)}"`);
        }
        contentLength = bytes;
        break;
      }
      case "transfer-encoding":
        isChunked = /(^|,)\s*chunked$/i.test(value);
        break;
      case "connection":
        if (/(^|,)\s*close\s*(,|$)/i.test(value)) keepsAlive = false;
        else if (/(^|,)\s*keep-alive\s*(,|$)/i.test(value)) keepsAlive = true;
    }
  }
  const date = /\ndate:/i.exec(text);
  const dateFrom = date === null ? 0 : date.index + date[0].length;
  const hasNoBody = isHead || status < 200 || status === 204 || status === 304;
  const framing: Framing = hasNoBody
    ? { kind: "length", bytes: 0 }
    : isChunked
    ? { kind: "chunked" }
    : contentLength === null
    ? { kind: "close" }
    : { kind: "length", bytes: contentLength };
  return {
    status,
    length,
    framing,
    keepsAlive: keepsAlive && framing.kind !== "close",
    date: date === null ? [0, 0] : [dateFrom, text.indexOf("\r", dateFrom)],
  };
}

/** Returns the bytes of a request. */
export function encodeRequest(
  origin: string,
  { method, path, headers, body }: HttpRequest,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const length = encoder.encode(body ?? "").length;
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(names.has("host") ? [] : [`host: ${new URL(origin).host}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null || names.has("content-length") ? [] : [`content-length: ${length}`]),
  ];
  return encoder.encode(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}
