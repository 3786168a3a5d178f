import { Buffer } from "node:buffer";
import { messageOf, Mismatch } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import { latin1, LONGEST_BODY, tooLong } from "../model/body.ts";
import { addressOf, connect } from "../process/connect.ts";

/** Time limit of one response, and of every other expected event, in milliseconds. */
const DEADLINE_MS = 5000;
/** Maximum number of bytes that a message quotes. */
const EXCERPT = 60;

const LATE = new Error("The deadline has passed");

function before<T>(untilMs: number, promise: Promise<T>, abort: AbortSignal): Promise<T> {
  return inTime(promise, Math.max(0, untilMs - performance.now()), LATE, abort);
}

/**
 * A TCP or TLS connection that writes and reads raw bytes, because some checks need details that
 * `fetch` hides. It closes when it is disposed.
 */
export class Wire implements Disposable {
  readonly #connection: Deno.Conn;
  readonly #abort: AbortSignal;
  /** Received bytes. Those from index `#from` to `#to` are not read yet. */
  #bytes: Buffer = Buffer.alloc(65536);
  #from = 0;
  #to = 0;
  /** A read that has missed its deadline and is still pending. */
  #reading: Promise<number | null> | null = null;
  readonly #buffer = new Uint8Array(65536);
  #hasEnded = false;
  /** What the server should send next, and the deadline on the clock of `performance.now()`. */
  #wanted: { readonly what: string; readonly untilMs: number } = { what: "", untilMs: 0 };

  private constructor(connection: Deno.Conn, abort: AbortSignal) {
    this.#connection = connection;
    this.#abort = abort;
  }

  /** Connects to a server, or throws a `Mismatch`. `abort` makes operations throw its reason. */
  static async open(origin: string, abort: AbortSignal): Promise<Wire> {
    const untilMs = performance.now() + DEADLINE_MS;
    const connecting = connect(addressOf(origin));
    try {
      return new Wire(await before(untilMs, connecting, abort), abort);
    } catch (error) {
      connecting.then((connection) => connection.close(), () => {}); // if it opens too late
      abort.throwIfAborted();
      const what = `a connection within ${DEADLINE_MS / 1000} s`;
      throw new Mismatch(what, error === LATE ? "nothing" : messageOf(error));
    }
  }

  /** Sends text. Does nothing if the server has already closed the connection. */
  async write(text: string): Promise<void> {
    let rest = new TextEncoder().encode(text);
    try {
      while (rest.length > 0) {
        const untilMs = performance.now() + DEADLINE_MS;
        rest = rest.subarray(await before(untilMs, this.#connection.write(rest), this.#abort));
      }
    } catch (error) {
      if (this.#abort.aborted) throw error;
      if (error !== LATE) return; // the next read reports the end of the connection
      throw new Mismatch("the request to be read", "a connection that accepts no more bytes");
    }
  }

  /** Sets a deadline of five seconds for the next reads; `what` names the expected bytes. */
  expect(what: string): void {
    const untilMs = performance.now() + DEADLINE_MS;
    this.#wanted = { what: `${what} within ${DEADLINE_MS / 1000} s`, untilMs };
  }

  /** Returns the text before the first `end`, which is ASCII. Throws a `Mismatch` if it is late. */
  async readTo(end: string): Promise<string> {
    for (let searched = 0;;) {
      const at = this.#received.indexOf(end, searched);
      if (at >= 0) return latin1((await this.readBytes(at + end.length)).subarray(0, at));
      searched = Math.max(0, this.#received.length - end.length + 1);
      await this.#demand();
    }
  }

  /** Reads a number of bytes. Throws a `Mismatch` if fewer arrive in time. */
  async readBytes(count: number): Promise<Uint8Array> {
    while (this.#received.length < count) await this.#demand();
    const bytes = new Uint8Array(this.#received.subarray(0, count));
    this.#from += count;
    return bytes;
  }

  /** Reads for `ms` milliseconds, by default to the deadline, or until the connection closes. */
  async readRest(ms?: number): Promise<{ bytes: Uint8Array; closed: boolean }> {
    const untilMs = ms === undefined ? this.#wanted.untilMs : performance.now() + ms;
    while (await this.#more(untilMs) === "more");
    const bytes = new Uint8Array(this.#received);
    this.#from = this.#to;
    return { bytes, closed: this.#hasEnded };
  }

  get #received(): Buffer {
    return this.#bytes.subarray(this.#from, this.#to);
  }

  /** Throws a `Mismatch` if more than 64 MiB are unread: no response may be longer. */
  #receive(bytes: Uint8Array): void {
    if (this.#to + bytes.length > this.#bytes.length) {
      const kept = this.#received;
      if (kept.length > LONGEST_BODY) throw tooLong();
      this.#bytes = Buffer.alloc(2 * (kept.length + bytes.length));
      this.#bytes.set(kept);
      [this.#from, this.#to] = [0, kept.length];
    }
    this.#bytes.set(bytes, this.#to);
    this.#to += bytes.length;
  }

  async #demand(): Promise<void> {
    const { what, untilMs } = this.#wanted;
    const outcome = await this.#more(untilMs);
    if (outcome === "more") return;
    const bytes = this.#received;
    const start = latin1(bytes.subarray(0, EXCERPT)) + (bytes.length > EXCERPT ? "..." : "");
    const only = bytes.length === 0 ? "" : JSON.stringify(start);
    if (outcome === "late") throw new Mismatch(what, only ? `only ${only}` : "nothing");
    throw new Mismatch(what, `the connection closed${only && ` after ${only}`}`);
  }

  /** Waits until bytes arrive, the server closes the connection, or the deadline passes. */
  async #more(untilMs: number): Promise<"more" | "end" | "late"> {
    if (this.#hasEnded) return "end";
    if (performance.now() > untilMs) return "late"; // also if bytes arrive without a pause
    // A reset also ends the connection.
    this.#reading ??= this.#connection.read(this.#buffer).catch(() => null);
    try {
      const count = await before(untilMs, this.#reading, this.#abort);
      this.#reading = null;
      this.#hasEnded = count === null;
      if (count === null) return "end";
      this.#receive(this.#buffer.subarray(0, count));
      return "more";
    } catch (error) {
      if (error === LATE) return "late";
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}
