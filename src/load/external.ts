import { fileURLToPath } from "node:url";
import { messageOf } from "../model/errors.ts";
import type { Load } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import { type HttpRequest, type HttpResponse, textOf } from "../model/scenario.ts";
import { httpClient, tlsInUse } from "../process/tls_client.ts";
import type { LoadGenerator } from "./generator.ts";
import { now, type Ticks } from "./metronome.ts";
import type { Invocation, Reading, Tool, ToolLoad, ToolOutput } from "./tools/tool.ts";

const PROCESS = new URL("./tool_process.ts", import.meta.url);

/** One job for the process that runs a tool, sent as one line. */
export interface ToolJob {
  /** Folder of the tool's files. */
  readonly folder: string;
  readonly warmup: Invocation | null;
  readonly window: Invocation;
  /** Text that the tool prints when its load starts; null: its load starts at once. */
  readonly startsWith: string | null;
  /** Length of the window in seconds; null if it ends after a number of responses. */
  readonly seconds: number | null;
}

/** The reply of the process that runs a tool, sent as one line. */
export interface ToolReply {
  readonly warmup: ToolOutput | null;
  readonly window: ToolOutput;
}

/** Returns a load generator that runs a tool once for each warm-up and once for each window. */
export function external(tool: Tool): LoadGenerator {
  const { abilities } = tool;
  return {
    id: tool.id,
    threads: abilities.threads,
    sendsHead: abilities.head,
    skipsInterim: abilities.interim,
    canTalk: false,
    http: abilities.http,
    tls: abilities.tls,
    checksBodies: false,
    knowsWaves: false,
    exposes: tool.exposes,
    latencyNote: tool.latencyNote,
    command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
    ask: ({ origin, request, load }, folder) => {
      const of = (part: Pick<ToolLoad, "seconds" | "requests">): ToolLoad => ({
        url: origin + request.path,
        alpn: tlsInUse()?.alpn ?? null,
        request,
        connections: load.connections,
        threads: load.shards,
        timeoutS: load.timeoutS,
        ...part,
      });
      const window = lengthOf(load, tool);
      const warmup = { seconds: whole(load.warmupS, tool), requests: null };
      const job: ToolJob = {
        folder,
        warmup: load.warmupS === 0 ? null : tool.invoke(of(warmup)),
        window: tool.invoke(of(window)),
        startsWith: tool.startsWith,
        seconds: window.seconds,
      };
      return JSON.stringify(job);
    },
    parse: (line) => {
      const { warmup, window } = JSON.parse(line) as ToolReply;
      const before = warmup && tool.read(warmup);
      return measurementOf(tool.read(window), before);
    },
  };
}

/** Returns the length of a window in seconds, or its number of requests if the tool supports that. */
function lengthOf(load: Load, tool: Tool): Pick<ToolLoad, "seconds" | "requests"> {
  return load.responses !== null && tool.abilities.requests
    ? { seconds: null, requests: load.responses }
    : { seconds: whole(load.durationS, tool), requests: null };
}

/** Rounds seconds up to the tool's step. */
function whole(seconds: number, { abilities: { stepS } }: Tool): number {
  return Math.max(1, Math.ceil(seconds / stepS)) * stepS;
}

function measurementOf(window: Reading, warmup: Reading | null): Measurement {
  const responses = ({ statuses }: Reading): number =>
    Object.values(statuses).reduce((total, count) => total + count, 0);
  return {
    ...window,
    allResponses: responses(window) + (warmup === null ? 0 : responses(warmup)),
    checkedBodies: 0,
    wrongResponses: 0,
    wrongResponse: null,
    connectionsOpened: null,
    slicesPerS: [],
    kinds: [],
    open: null,
    warmup: null,
  };
}

/**
 * A request with a scheduled send time, and its outcome. Its times are milliseconds on the
 * metronome's clock.
 */
export interface PacedRequest {
  /** Scheduled send time. */
  readonly due: number;
  /** Time at which this client noticed that the request was due. */
  readonly noticed: number;
  /** Time at which it was sent; null if every connection was busy until the end. */
  readonly sent: number | null;
  /** Time of the last byte of its response; null if there was no response. */
  readonly done: number | null;
  readonly response: HttpResponse | null;
  readonly error: string | null;
}

/** The request that a {@linkcode PacedClient} sends, and its limits. */
export interface PacedOptions {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly connections: number;
  /**
   * Milliseconds after which a request fails and its connection is closed; by default without
   * limit.
   */
  readonly timeoutMs?: number;
  /** The metronome's clock, in milliseconds; by default {@linkcode now}. */
  readonly clock?: () => number;
}

/**
 * Sends a request at every tick of a metronome without waiting for earlier responses: an open loop.
 *
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

  /**
   * Sends a request every `intervalMs` from now on and reports each result; replaces an earlier
   * interval.
   */
  start(intervalMs: number, onResponse: (request: PacedRequest) => void): void {
    const run: PacedRun = { waiting: [], underWay: new Map(), onResponse };
    this.#run = run;
    this.#metronome.start({ kind: "even", gapMs: intervalMs }, (due) => {
      run.waiting.push({ due, noticed: this.#now() });
      this.#pump();
    });
  }

  /**
   * Stops sending.
   *
   * @returns the requests that have no response yet. Their responses are ignored.
   */
  stop(): PacedRequest[] {
    this.#metronome.stop();
    const { waiting = [], underWay = new Map<Due, number>() } = this.#run ?? {};
    this.#run = null;
    const unanswered = { done: null, response: null, error: null };
    return [
      ...[...underWay].map(([due, sent]) => ({ ...unanswered, ...due, sent })),
      ...waiting.map((due) => ({ ...unanswered, ...due, sent: null })),
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
        // bytes, because fetch adds a content type to a string
        body: body === null ? null : new TextEncoder().encode(body),
        redirect: "manual",
      });
      const { status, headers: received } = response;
      const text = await textOf(response);
      return { response: { status, headers: received, text }, error: null };
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

type Due = Pick<PacedRequest, "due" | "noticed">;

/** The state between one start and the next stop. */
interface PacedRun {
  readonly waiting: Due[];
  /** Send time of each request in flight. */
  readonly underWay: Map<Due, number>;
  readonly onResponse: (request: PacedRequest) => void;
}
