/**
 * Generates the load of a soak: polite requests and hostile clients at a constant rate (open loop). It runs
 * in a separate process, so that its work does not delay the probes. Its argument is a
 * {@linkcode LoadOrder}. It prints one {@linkcode LoadCounts} per line each second, and a last one when it
 * is stopped.
 */
import { SCENARIOS } from "../../scenarios/mod.ts";
import { ONE_BY_ONE } from "../../src/load/driver/load_client.ts";
import { OpenLoop } from "../../src/load/driver/open_loop.ts";
import type { Talk } from "../../src/load/generator.ts";
import { Metronome, now } from "../../src/load/metronome.ts";
import { HOSTILE_KINDS } from "./hostile.ts";

/** Arguments of the process. */
export interface LoadOrder {
  readonly origin: string;
  /** New clients per second. */
  readonly perS: number;
  /** Every n-th client is hostile; 0: none. */
  readonly hostileEvery: number;
  /** Ids of the scenarios to request. */
  readonly scenarios: readonly string[];
}

/** Totals since the start. */
export interface LoadCounts {
  /** Polite requests with a 2xx response, with another status, and without a response. */
  readonly right: number;
  readonly refused: number;
  readonly failed: number;
  /** Hostile clients that have started, and those that are still connected. */
  readonly hostile: number;
  readonly staying: number;
  /** Why the last request failed; null: none has. */
  readonly lastFailure: string | null;
}

/** Relative frequency of each scenario; expensive ones are less frequent. */
const WEIGHTS: Readonly<Record<string, number>> = {
  text: 10,
  json: 10,
  sql1: 8,
  sql2: 4,
  books: 2,
  delay: 2,
  primes: 0.5,
  schema: 8,
  plaintext: 4,
  db: 4,
  queries: 1,
  fortunes: 3,
  updates: 1,
  cached: 2,
  static: 2,
  upload: 0.5,
  stream: 1,
};
/** Weight of requests with `Connection: close`, so that connections come and go. */
const CLOSING_WEIGHT = 3;
/** Every n-th polite client sends a message over an open WebSocket. */
const SOCKET_EVERY = 20;
const SOCKETS = 4;
/**
 * Connections of polite clients. All are opened at the start: if a stall opened them later, they would
 * look like leaked descriptors.
 */
const CONNECTIONS = 32;
/** Timeout of a polite request, in seconds. */
const TIMEOUT_S = 10;
const REPORT_EVERY_MS = 1000;

const order: LoadOrder = JSON.parse(Deno.args[0] ?? "{}");
const counts = { right: 0, refused: 0, failed: 0, hostile: 0, staying: 0 };
let lastFailure: string | null = null;

function tell(): void {
  const line: LoadCounts = { ...counts, lastFailure };
  // deno-lint-ignore no-console -- the parent process reads its output
  console.log(JSON.stringify(line));
}

function loopOf(mix: Talk["mix"], connections: number, isSocket = false): OpenLoop | null {
  const [first] = mix;
  if (first === undefined) return null;
  return new OpenLoop({
    ...ONE_BY_ONE,
    ...(isSocket ? { protocol: "websocket" } : { mix }),
    origin: order.origin,
    request: first.request,
    expected: null,
    connections,
    timeoutS: TIMEOUT_S,
  }, {
    answered: (_arrival, { status, kind }) => {
      if (status < 300) counts.right++;
      else {
        counts.refused++;
        lastFailure = `${mix[kind]?.scenario}: status ${status}`;
      }
    },
    failed: (_arrival, why) => {
      counts.failed++;
      lastFailure = why;
    },
    reconnected: () => {},
  });
}

const parts = SCENARIOS.filter(({ id }) => order.scenarios.includes(id)).map((
  { id, request },
): Talk["mix"][number] => ({ scenario: id, request, expected: null, weight: WEIGHTS[id] ?? 0 }));
const text = parts.find(({ scenario }) => scenario === "text");
const closing = text === undefined ? [] : [{
  ...text,
  weight: CLOSING_WEIGHT,
  request: { ...text.request, headers: { ...text.request.headers, connection: "close" } },
}];
const polite = loopOf([...parts.filter(({ weight }) => weight > 0), ...closing], CONNECTIONS);
const sockets = loopOf(
  parts.filter(({ scenario }) => scenario === "websocket"),
  SOCKETS,
  true,
);

async function attack(): Promise<void> {
  const kind = HOSTILE_KINDS[counts.hostile++ % HOSTILE_KINDS.length];
  counts.staying++;
  // Any reaction to a hostile client is fine
  await kind?.attack(order.origin).catch(() => {});
  counts.staying--;
}

for (let i = 0; i < CONNECTIONS; i++) polite?.arrive(now());
for (let i = 0; i < SOCKETS; i++) sockets?.arrive(now());

const metronome = new Metronome();
let clients = 0;
metronome.start({ kind: "even", gapMs: 1000 / order.perS }, (due) => {
  clients++;
  if (order.hostileEvery > 0 && clients % order.hostileEvery === 0) attack();
  else if (clients % SOCKET_EVERY === 1 && sockets !== null) sockets.arrive(due);
  else polite?.arrive(due);
});
const timer = setInterval(tell, REPORT_EVERY_MS);

function stop(): void {
  clearInterval(timer);
  metronome[Symbol.dispose]();
  polite?.[Symbol.dispose]();
  sockets?.[Symbol.dispose]();
  tell();
  Deno.exit(0);
}
Deno.addSignalListener("SIGTERM", stop);
