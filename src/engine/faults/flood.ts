import { addressOf, encodeRequest } from "../../load/driver/request.ts";
import { ClosedLoop } from "../../load/driver/closed_loop.ts";
import { Failure } from "../../model/errors.ts";
import type { HttpRequest } from "../../model/scenario.ts";
import { pause } from "../../process/pause.ts";
import { PATIENCE_MS } from "./steady.ts";

/** How requests are sent that nobody is meant to keep up with. */
export interface FloodOptions {
  readonly origin: string;
  readonly request: HttpRequest;
  readonly perS: number;
  readonly durationS: number;
  /** Whether clients leave as soon as they have sent their request, or wait for the answer. */
  readonly leaves: boolean;
  /** Connections that may be open at once. */
  readonly most: number;
}

const STEP_MS = 5;
const WARM_UP_MS = 300;
const MEASURED_MS = 700;
/** Enough to keep any server busy that takes ten milliseconds for an answer. */
const CONNECTIONS = 10;

/**
 * What a server can answer a second, in a closed loop.
 *
 * @param most connections at most
 * @throws {Failure} if it answers nothing.
 */
export async function capacityOf(
  { origin, request, most }: Pick<FloodOptions, "origin" | "request" | "most">,
  signal: AbortSignal,
): Promise<number> {
  let answers = 0;
  const connections = Math.min(CONNECTIONS, most);
  const options = { origin, request, connections, timeoutS: 5, expected: null };
  using loop = new ClosedLoop(options, {
    answered: ({ status }) => {
      if (status >= 200 && status < 300) answers++;
    },
    failed: () => {},
    reconnected: () => {},
  });
  loop.start();
  await pause(WARM_UP_MS, signal);
  const before = answers;
  const startedMs = performance.now();
  // A slow server is given the time for some answers
  while (performance.now() - startedMs < MEASURED_MS || answers - before < CONNECTIONS) {
    await pause(STEP_MS, signal);
    if (performance.now() - startedMs > 10 * MEASURED_MS) break;
  }
  if (answers === before) throw new Failure(`It answered no ${request.path} under load`);
  return 1000 * (answers - before) / (performance.now() - startedMs);
}

/**
 * Sends requests at a rate, each over a connection of its own, whether or not answers come.
 *
 * @returns how many were sent
 */
export async function flood(options: FloodOptions, signal: AbortSignal): Promise<number> {
  const { origin, request, perS, durationS, most } = options;
  const bytes = encodeRequest(origin, {
    ...request,
    headers: { ...request.headers, connection: "close" },
  });
  const open = new Set<Promise<unknown>>();
  let [begun, sent] = [0, 0];
  const startedMs = performance.now();
  for (;;) {
    const elapsedS = (performance.now() - startedMs) / 1000;
    const due = Math.floor(perS * Math.min(elapsedS, durationS));
    while (begun < due && open.size < most) {
      const client = visit(options, bytes, signal).then((isSent) => {
        if (isSent) sent++;
        open.delete(client);
      });
      open.add(client);
      begun++;
    }
    if (elapsedS >= durationS) break;
    await pause(STEP_MS, signal);
  }
  await Promise.all(open);
  return sent;
}

/**
 * One client: it sends a request, and reads until the server closes or its patience ends.
 *
 * @returns whether the request was sent
 */
async function visit(
  { origin, leaves }: FloodOptions,
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<boolean> {
  const { hostname, port } = addressOf(origin);
  let connection: Deno.TcpConn | null = null;
  let [isOver, isSent] = [false, false];
  const leave = (): void => {
    isOver = true;
    try {
      connection?.close();
    } catch {
      // It was closed already
    }
  };
  const timer = setTimeout(leave, PATIENCE_MS);
  signal.addEventListener("abort", leave);
  try {
    connection = await Deno.connect({ hostname, port });
    if (isOver) return false;
    await connection.write(bytes);
    isSent = true;
    if (leaves) return true;
    const received = new Uint8Array(64 * 1024);
    while (await connection.read(received) !== null);
  } catch {
    // What becomes of it is the server's affair: others are watched
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    leave();
  }
  return isSent;
}
