/** A client that sends requests at fixed times, however slow the responses are. */
import { messageOf } from "../model/errors.ts";
import { textOf } from "../model/body.ts";
import type { HttpRequest, HttpResponse } from "../model/scenario.ts";
import { httpClient } from "../process/tls_client.ts";
import { now, type Ticks } from "./metronome.ts";

/** The request that a {@linkcode PacedClient} sends, and its limits. */
export interface PacedOptions {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly connections: number;
  /** Milliseconds after which a request fails and its connection is closed; by default no limit. */
  readonly timeoutMs?: number;
  /** The metronome's clock, in milliseconds; by default {@linkcode now}. */
  readonly clock?: () => number;
}

/** A scheduled request and its outcome. Times are milliseconds on the metronome's clock. */
export interface PacedRequest {
  /** Scheduled send time. */
  readonly due: number;
  /** Time at which this client noticed that the request was due. */
  readonly noticed: number;
  /** Time at which it was sent; null if every connection was busy until the end. */
  sent: number | null;
  /** Time of the last byte of its response; null if there was no response. */
  done: number | null;
  response: HttpResponse | null;
  error: string | null;
}

/**
 * Sends a request at every tick of a metronome without waiting for earlier responses: an open loop.
 * If every connection is busy, a request waits in a queue. Its time counts from its scheduled send
 * time. A slow response therefore cannot hide the delay of later requests (coordinated omission).
 */
export class PacedClient implements Disposable {
  readonly #metronome: Ticks;
  readonly #options: PacedOptions;
  readonly #now: () => number;
  readonly #end: AbortController = new AbortController();
  /** Each client is one connection, because it never has more than one request in flight. */
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

  /** Sends a request every `intervalMs` and reports each result; replaces an earlier interval. */
  start(intervalMs: number, onResponse: (request: PacedRequest) => void): void {
    const run: PacedRun = this.#run = { waiting: [], underWay: new Set(), onResponse };
    const pending = { sent: null, done: null, response: null, error: null };
    this.#metronome.start({ kind: "even", gapMs: intervalMs }, (due) => {
      run.waiting.push({ due, noticed: this.#now(), ...pending });
      this.#pump();
    });
  }

  /** Stops sending, and returns the requests without a response. Their responses are ignored. */
  stop(): PacedRequest[] {
    this.#metronome.stop();
    const run = this.#run;
    this.#run = null;
    return run === null ? [] : [...run.underWay, ...run.waiting];
  }

  #pump(): void {
    const run = this.#run;
    while (run !== null && run.waiting.length > 0 && this.#idle.length > 0) {
      this.#send(run, run.waiting.shift() as PacedRequest, this.#idle.pop() as Deno.HttpClient);
    }
  }

  async #send(run: PacedRun, request: PacedRequest, client: Deno.HttpClient): Promise<void> {
    request.sent = this.#now();
    run.underWay.add(request);
    const outcome = await this.#ask(client);
    const done = outcome.response === null ? null : this.#now();
    if (this.#run === run) {
      run.underWay.delete(request);
      run.onResponse(Object.assign(request, outcome, { done }));
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
        // bytes, because fetch adds a content type to a string
        body: body === null ? null : new TextEncoder().encode(body),
        redirect: "manual",
      });
      const { status, headers: received } = response;
      return { response: { status, headers: received, text: await textOf(response) }, error: null };
    } catch (error) {
      return { response: null, error: messageOf(error) };
    }
  }

  /** Closes every connection. Pending requests get no response. */
  [Symbol.dispose](): void {
    this.stop();
    this.#end.abort();
    for (const client of this.#connections) client.close();
  }
}

/** The state between one start and the next stop. */
interface PacedRun {
  readonly waiting: PacedRequest[];
  readonly underWay: Set<PacedRequest>;
  onResponse(request: PacedRequest): void;
}
