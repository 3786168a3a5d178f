import { LONGEST_BODY } from "../../model/body.ts";
import { SURPLUS } from "../surplus.ts";
import { endOfHead, Garbage, type Head, latin1, parseHead } from "./head.ts";

/** What a right body is: this text, any that matches this regular expression, or null: any. */
export type Expected = { readonly same: string } | { readonly matches: string } | null;

/** One whole response. */
export interface ParsedResponse {
  readonly status: number;
  /** The place of its request in a mix; 0 without one. */
  readonly kind: number;
  /** Its length, head and body. */
  readonly bytes: number;
  /** Whether its connection takes another request. */
  readonly keepsAlive: boolean;
  /** Whether its body was looked at; only that of a response with a 2xx status is. */
  readonly isChecked: boolean;
  /** The wrong body, or a message about surplus bytes after the response; null if neither. */
  readonly wrong: string | null;
}

const SMALLEST = 16 * 1024;

/**
 * Takes the bytes of a connection's responses, one response after the other, and looks at every body.
 *
 * A head that equals the one before, but for the value of `Date`, is not read again: servers answer
 * the same request with the same head over and over.
 */
export class ResponseReader {
  readonly #isHead: boolean;
  readonly #isExpected: (bytes: Uint8Array, from: number, to: number) => boolean;
  readonly #checks: boolean;
  readonly #pipelined: number;
  /** Number of responses received in the current pipelined batch. */
  #ofBatch = 0;
  readonly #kind: number;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(SMALLEST);
  #length = 0;
  /** Up to where there is no end of a head. */
  #searched = 0;
  #head: Head | null = null;
  #chunks: ChunkReader | null = null;
  /** The head before, and its bytes. */
  #last: { readonly head: Head; readonly bytes: Uint8Array } | null = null;

  /**
   * @param isHead whether the request is HEAD
   * @param options how many requests are sent at once, and of which kind of a mix the responses are
   */
  constructor(isHead: boolean, expected: Expected, { pipelined = 1, kind = 0 } = {}) {
    this.#isHead = isHead;
    this.#pipelined = pipelined;
    this.#kind = kind;
    this.#checks = expected !== null;
    this.#isExpected = comparison(expected);
  }

  /** Where the next bytes go. */
  get room(): Uint8Array<ArrayBuffer> {
    if (this.#length === 0) return this.#bytes;
    if (this.#length === this.#bytes.length) {
      if (this.#length >= LONGEST_BODY) throw new Garbage("a response that does not end");
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return this.#bytes.subarray(this.#length);
  }

  /**
   * So many bytes were put into the room.
   *
   * @returns the response, if it is whole.
   * @throws {Garbage} for what is no response.
   */
  filled(count: number): ParsedResponse | null {
    this.#length += count;
    for (;;) {
      this.#head ??= this.#readHead();
      if (this.#head === null) return null;
      if (this.#head.status >= 200 || this.#head.status === 101) break;
      // An interim response is followed by the real one
      this.#forget(this.#head.length);
    }
    const { framing, length } = this.#head;
    switch (framing.kind) {
      case "length":
        return this.#length < length + framing.bytes
          ? null
          : this.#whole(this.#head, this.#bytes, length, length + framing.bytes);
      case "chunked": {
        this.#chunks ??= new ChunkReader(length);
        const end = this.#chunks.read(this.#bytes, this.#length);
        if (end < 0) return null;
        const body = this.#chunks.body;
        return this.#whole(this.#head, body, 0, body.length, end);
      }
      case "close":
        return null;
    }
  }

  /**
   * The server has closed the connection.
   *
   * @returns the response that this ends; null if there was none under way.
   * @throws {Garbage} if it was not whole.
   */
  ended(): ParsedResponse | null {
    if (this.#head?.framing.kind === "close") {
      return this.#whole(this.#head, this.#bytes, this.#head.length, this.#length);
    }
    if (this.#length > 0) throw new Garbage("a response that is not whole");
    return null;
  }

  #readHead(): Head | null {
    const last = this.#last;
    if (last !== null && this.#isAsBefore(last)) return last.head;
    const end = endOfHead(this.#bytes, this.#length, this.#searched);
    this.#searched = this.#length;
    if (end < 0) return null;
    const head = parseHead(this.#bytes, end, this.#isHead);
    this.#last = { head, bytes: this.#bytes.slice(0, end) };
    return head;
  }

  #isAsBefore({ head: { length, date: [from, to] }, bytes }: {
    readonly head: Head;
    readonly bytes: Uint8Array;
  }): boolean {
    return this.#length >= length && isEqual(this.#bytes, 0, bytes, 0, from) &&
      isEqual(this.#bytes, to, bytes, to, length - to);
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
    const isChecked = this.#checks && status >= 200 && status < 300;
    const isWrong = isChecked && !this.#isExpected(body, from, to);
    const response = {
      status,
      kind: this.#kind,
      bytes: end,
      keepsAlive: keepsAlive && !hasSurplus, // surplus bytes would count as the next response
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

  /** What comes after a response, or an interim one, is the begin of the next. */
  #forget(end: number): void {
    if (this.#length > end) this.#bytes.copyWithin(0, end, this.#length);
    this.#length -= end;
    this.#searched = 0;
    this.#head = this.#chunks = null;
  }
}

/** Whether so many bytes of two arrays are the same. */
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

function comparison(expected: Expected): (bytes: Uint8Array, from: number, to: number) => boolean {
  if (expected === null) return () => true;
  if ("matches" in expected) {
    const [pattern, decoder] = [
      new RegExp(expected.matches),
      new TextDecoder("utf-8", { ignoreBOM: true }),
    ];
    return (bytes, from, to) => pattern.test(decoder.decode(bytes.subarray(from, to)));
  }
  const same = new TextEncoder().encode(expected.same);
  return (bytes, from, to) => to - from === same.length && isEqual(bytes, from, same, 0, to - from);
}

/** Takes a body's chunks together. https://www.rfc-editor.org/rfc/rfc9112#section-7.1 */
class ChunkReader {
  #at: number;
  readonly #parts: Uint8Array[] = [];
  #isLast = false;

  constructor(from: number) {
    this.#at = from;
  }

  /** Goes on as far as bytes are there; returns where the response ends, or -1 if that is not there yet. */
  read(bytes: Uint8Array, length: number): number {
    while (!this.#isLast) {
      const line = bytes.indexOf(10, this.#at);
      if (line < 0 || line >= length) return -1;
      const size = latin1(bytes.subarray(this.#at, line));
      if (!/^[\da-f]{1,8}\s*(;.*)?\r$/i.test(size)) {
        throw new Garbage(`a chunk of "${size.slice(0, 20)}" bytes`);
      }
      const count = parseInt(size, 16);
      if (count === 0) {
        this.#isLast = true;
        this.#at = line - 1; // the empty line may follow at once, or trailers before it
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
    if (first !== undefined && others.length === 0) return first;
    const body = new Uint8Array(this.#parts.reduce((total, { length }) => total + length, 0));
    let at = 0;
    for (const part of this.#parts) {
      body.set(part, at);
      at += part.length;
    }
    return body;
  }
}
