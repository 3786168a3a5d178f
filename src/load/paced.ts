import { textOf } from "../model/body.ts";
import { messageOf } from "../model/errors.ts";
import type { HttpRequest, HttpResponse } from "../model/scenario.ts";
import { httpClient } from "../process/tls_client.ts";
import { now, type Ticks } from "./metronome.ts";

/** One paced request, with its times in milliseconds on the metronome's clock. */
export interface PacedRequest {
  /** When it was to be sent. */
  readonly due: number;
  /** When this client saw that it was due. */
  readonly noticed: number;
  /** When it was sent; null if every connection was busy until the end. */
  readonly sent: number | null;
  /** When the last byte of its response came; null if none came. */
  readonly done: number | null;
  readonly response: HttpResponse | null;
  readonly error: string | null;
}

/** What a {@linkcode PacedClient} sends, and how. */
export interface PacedOptions {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly connections: number;
  /** A request that takes longer is given up, with its connection; by default none is. */
  readonly timeoutMs?: number;
  /** The clock of the metronome, in milliseconds; {@linkcode now}. */
  readonly clock?: () => number;
}

/**
 * Sends a request at every tick of a metronome, whether or not the responses before have come: an open
 * loop. What finds every connection busy waits in line, and its time counts from when it was due, so
 * that a slow response is not hidden by the requests that it kept from being sent.
 */
export class PacedClient implements Disposable {
  readonly #metronome: Ticks;
  readonly #options: PacedOptions;
  readonly #now: () => number;
  readonly #end: AbortController = new AbortController();
  /** Each is one connection, since it never has more than one request under way. */
  readonly #connections: readonly Deno.HttpClient[];
  readonly #idle: Deno.HttpClient[];
  #run: PacedRun | null = null;

  constructor(metronome: Ticks, options: PacedOptions) {
    this.#metronome = metronome;
    this.#options = options;
    this.#now = options.clock ?? now;
    this.#connections = Array.from(
      { length: options.connections },
      () => httpClient({ poolMaxIdlePerHost: 1 }),
    );
    this.#idle = [...this.#connections];
  }

  /** Sends from now on every `intervalMs`, and tells of each response; an earlier pace has an end. */
  start(intervalMs: number, onResponse: (request: PacedRequest) => void): void {
    const run: PacedRun = { waiting: [], underWay: new Map(), onResponse };
    this.#run = run;
    this.#metronome.start({ kind: "even", gapMs: intervalMs }, (due) => {
      run.waiting.push({ due, noticed: this.#now() });
      this.#pump();
    });
  }

  /**
   * Sends no more.
   *
   * @returns the requests that have no response, which is no longer waited for.
   */
  stop(): PacedRequest[] {
    this.#metronome.stop();
    const { waiting = [], underWay = new Map<Due, number>() } = this.#run ?? {};
    this.#run = null;
    const open = { done: null, response: null, error: null };
    return [
      ...[...underWay].map(([due, sent]) => ({ ...open, ...due, sent })),
      ...waiting.map((due) => ({ ...open, ...due, sent: null })),
    ];
  }

  #pump(): void {
    const run = this.#run;
    while (run !== null && run.waiting.length > 0 && this.#idle.length > 0) {
      this.#send(run, run.waiting.shift() as Due, this.#idle.pop() as Deno.HttpClient);
    }
  }

  async #send(run: PacedRun, due: Due, client: Deno.HttpClient): Promise<void> {
    const sent = this.#now();
    run.underWay.set(due, sent);
    const outcome = await this.#ask(client);
    const done = outcome.response === null ? null : this.#now();
    if (this.#run === run) {
      run.underWay.delete(due);
      run.onResponse({ ...due, sent, done, ...outcome });
    }
    this.#idle.push(client);
    this.#pump();
  }

  async #ask(client: Deno.HttpClient): Promise<Pick<PacedRequest, "response" | "error">> {
    const { origin, request: { method, path, headers, body }, timeoutMs } = this.#options;
    const signal = timeoutMs === undefined
      ? this.#end.signal
      : AbortSignal.any([this.#end.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await fetch(origin + path, {
        method,
        headers,
        client,
        signal,
        body: body === null ? null : new TextEncoder().encode(body), // fetch gives text a type
        redirect: "manual",
      });
      const { status, headers: received } = response;
      const text = await textOf(response);
      return { response: { status, headers: received, text }, error: null };
    } catch (error) {
      return { response: null, error: messageOf(error) };
    }
  }

  /** Closes every connection; a request that waits for a response gets none. */
  [Symbol.dispose](): void {
    this.stop();
    this.#end.abort();
    for (const client of this.#connections) client.close();
  }
}

type Due = Pick<PacedRequest, "due" | "noticed">;

/** From one start to the next stop. */
interface PacedRun {
  readonly waiting: Due[];
  /** When each request was sent that has no response yet. */
  readonly underWay: Map<Due, number>;
  readonly onResponse: (request: PacedRequest) => void;
}
