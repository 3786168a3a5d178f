/** Reads HTTP/1.1 responses from the bytes of a connection. */
import { Buffer } from "node:buffer";
import { latin1, LONGEST_BODY } from "../../model/body.ts";
import { SURPLUS, type Talk } from "../generator.ts";

/** Thrown if the received bytes are not a valid response. */
export class Garbage extends Error {}

/** One complete response. */
export interface ParsedResponse {
  readonly status: number;
  /** Index of its kind in a mix; 0 without a mix. */
  readonly kind: number;
  /** Length of head and body in bytes. */
  readonly bytes: number;
  /** Whether its connection accepts another request. */
  readonly keepsAlive: boolean;
  /** Whether its body was checked, as after a 2xx status. */
  readonly isChecked: boolean;
  /** The wrong body, or a message about surplus bytes after the response; null if neither. */
  readonly wrong: string | null;
}

/** First size of the buffer in bytes. It doubles when a response does not fit. */
const SMALLEST = 16 * 1024;

/**
 * Reads the responses of a connection from its bytes, and checks every body. It does not parse a
 * head that equals the last one except for the value of `Date`, as most do. Its methods throw
 * {@linkcode Garbage} if the bytes are not a response, or not a whole one at the end.
 */
export class ResponseReader {
  readonly #isHead: boolean;
  readonly #isExpected: ReturnType<typeof comparison>;
  readonly #pipelined: number;
  readonly #kind: number;
  /** Number of responses received in the current pipelined batch. */
  #ofBatch = 0;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(SMALLEST);
  #length = 0;
  #searched = 0; // the bytes before this index contain no end of a head
  #head: Head | null = null;
  #chunks: ChunkReader | null = null;
  /** The last head, and its bytes. */
  #lastHead: Head | null = null;
  #lastBytes: Uint8Array = this.#bytes;

  /** @param isHead whether the request is HEAD */
  constructor(isHead: boolean, expected: Talk["expected"], { pipelined = 1, kind = 0 } = {}) {
    this.#isHead = isHead;
    this.#pipelined = pipelined;
    this.#kind = kind;
    this.#isExpected = comparison(expected);
  }

  /** The free part of the buffer, for the next bytes. */
  get room(): Uint8Array<ArrayBuffer> {
    if (this.#length === 0) return this.#bytes;
    if (this.#length === this.#bytes.length) {
      if (this.#length >= LONGEST_BODY) {
        throw new Garbage(`The response is longer than ${LONGEST_BODY / 2 ** 20} MiB`);
      }
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return this.#bytes.subarray(this.#length);
  }

  /** Takes bytes that were read into {@linkcode room}; returns the response, null if incomplete. */
  filled(count: number): ParsedResponse | null {
    this.#length += count;
    for (;;) {
      this.#head ??= this.#readHead();
      if (this.#head === null) return null;
      if (this.#head.status >= 200 || this.#head.status === 101) break;
      this.#forget(this.#head.length); // an interim response comes before the final one
    }
    const { bodyEnd, length } = this.#head;
    if (bodyEnd === "close") return null;
    if (bodyEnd === "chunked") {
      this.#chunks ??= new ChunkReader(length);
      const end = this.#chunks.read(this.#bytes, this.#length);
      if (end < 0) return null;
      const { body } = this.#chunks;
      return this.#whole(this.#head, body, 0, body.length, end);
    }
    if (this.#length < bodyEnd) return null;
    return this.#whole(this.#head, this.#bytes, length, bodyEnd);
  }

  /** Returns the response that ends with the connection; null if none was in progress. */
  ended(): ParsedResponse | null {
    if (this.#head?.bodyEnd === "close") {
      return this.#whole(this.#head, this.#bytes, this.#head.length, this.#length);
    }
    if (this.#length > 0) {
      throw new Garbage("The connection closed before the response was complete");
    }
    return null;
  }

  #readHead(): Head | null {
    if (this.#lastHead !== null && this.#isAsBefore(this.#lastHead)) return this.#lastHead;
    const head = headIn(this.#bytes, this.#length, this.#searched, this.#isHead);
    this.#searched = this.#length;
    if (head === null) return null;
    this.#lastBytes = this.#bytes.slice(0, head.length);
    return this.#lastHead = head;
  }

  #isAsBefore({ length, date: [from, to] }: Head): boolean {
    return this.#length >= length && isEqual(this.#bytes, 0, this.#lastBytes, 0, from) &&
      isEqual(this.#bytes, to, this.#lastBytes, to, length - to);
  }

  #whole(
    { status, keepsAlive }: Head,
    body: Uint8Array,
    from: number,
    to: number,
    end = to,
  ): ParsedResponse {
    const isLast = ++this.#ofBatch === this.#pipelined;
    if (isLast) this.#ofBatch = 0;
    const hasSurplus = isLast && this.#length > end;
    const isExpected = this.#isExpected;
    const isChecked = isExpected !== null && status >= 200 && status < 300;
    const isWrong = isChecked && !isExpected(body, from, to);
    const response = {
      status,
      kind: this.#kind,
      bytes: end,
      keepsAlive: keepsAlive && !hasSurplus, // the surplus bytes would count as the next response
      isChecked: isChecked || hasSurplus,
      wrong: hasSurplus
        ? SURPLUS
        : isWrong
        ? new TextDecoder().decode(body.subarray(from, to))
        : null,
    };
    this.#forget(end);
    return response;
  }

  #forget(end: number): void {
    if (this.#length > end) this.#bytes.copyWithin(0, end, this.#length);
    this.#length -= end;
    this.#searched = 0;
    this.#head = this.#chunks = null;
  }
}

function isEqual(
  a: Uint8Array,
  fromA: number,
  b: Uint8Array,
  fromB: number,
  count: number,
): boolean {
  for (let i = 0; i < count; i++) if (a[fromA + i] !== b[fromB + i]) return false;
  return true;
}

function comparison(
  expected: Talk["expected"],
): ((bytes: Uint8Array, from: number, to: number) => boolean) | null {
  if (expected === null) return null;
  if ("matches" in expected) {
    const pattern = new RegExp(expected.matches);
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return (bytes, from, to) => pattern.test(decoder.decode(bytes.subarray(from, to)));
  }
  const same = new TextEncoder().encode(expected.same);
  return (bytes, from, to) => to - from === same.length && isEqual(bytes, from, same, 0, to - from);
}

/** Joins the chunks of a body. https://www.rfc-editor.org/rfc/rfc9112#section-7.1 */
class ChunkReader {
  #at: number;
  readonly #parts: Uint8Array[] = [];
  #isLast = false;

  constructor(from: number) {
    this.#at = from;
  }

  /** Reads all available chunks; returns the end of the response, or -1 if it is incomplete. */
  read(bytes: Uint8Array, length: number): number {
    while (!this.#isLast) {
      const line = bytes.indexOf(10, this.#at);
      if (line < 0 || line >= length) return -1;
      const size = latin1(bytes.subarray(this.#at, line));
      if (!/^[\da-f]{1,8}\s*(;.*)?\r$/i.test(size)) {
        throw new Garbage(`Invalid chunk size "${size.slice(0, 20)}"`);
      }
      const count = parseInt(size, 16);
      if (count === 0) {
        this.#isLast = true;
        this.#at = line - 1; // before the next line: an empty line, or trailers and an empty line
        break;
      }
      if (length < line + 1 + count + 2) return -1;
      this.#parts.push(bytes.slice(line + 1, line + 1 + count));
      this.#at = line + 1 + count + 2;
    }
    return endOfHead(bytes, length, this.#at + 3);
  }

  get body(): Uint8Array {
    const [first, ...others] = this.#parts;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#parts);
  }
}

interface Head {
  readonly status: number;
  /** Number of bytes before the body. */
  readonly length: number;
  /** Index after the body, if it does not end by chunks or with the connection. */
  readonly bodyEnd: number | "chunked" | "close";
  /** Whether the connection accepts another request after this response. */
  readonly keepsAlive: boolean;
  /** Range of the value of `Date`, the only difference between equal responses; empty without it. */
  readonly date: readonly [from: number, to: number];
}

const CR = 13;
const LF = 10;

/** Returns the index after the empty line that ends a head, from `from` on; -1 if there is none. */
function endOfHead(bytes: Uint8Array, length: number, from: number): number {
  for (let i = Math.max(3, from); i < length; i++) {
    const endsLine = bytes[i] === LF && bytes[i - 1] === CR;
    if (endsLine && bytes[i - 2] === LF && bytes[i - 3] === CR) return i + 1;
  }
  return -1;
}

/**
 * Parses the head in the first `filled` bytes of a response; null if its end is not among those
 * from `from` on. With `isHead` the response has no body, as after HEAD. Throws
 * {@linkcode Garbage} if it is invalid. https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 */
export function headIn(
  bytes: Uint8Array,
  filled: number,
  from: number,
  isHead: boolean,
): Head | null {
  const length = endOfHead(bytes, filled, from);
  if (length < 0) return null;
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
  const bodyEnd = hasNoBody
    ? length
    : isChunked
    ? "chunked"
    : contentLength === null
    ? "close"
    : length + contentLength;
  return {
    status,
    length,
    bodyEnd,
    keepsAlive: keepsAlive && bodyEnd !== "close",
    date: date === null ? [0, 0] : [dateFrom, text.indexOf("\r", dateFrom)],
  };
}
