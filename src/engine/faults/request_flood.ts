import { addressOf, encodeRequest } from "../../load/driver/request.ts";
import { ONE_BY_ONE } from "../../load/driver/load_client.ts";
import { ClosedLoop, type ClosedLoopOptions } from "../../load/driver/closed_loop.ts";
import type { HttpRequest } from "../../model/scenario.ts";
import { pause } from "../../process/pause.ts";
import { TIMEOUT_MS } from "./monitor.ts";

/** What is asked of a server, and by how many. */
export interface Demand {
  readonly origin: string;
  readonly request: HttpRequest;
  /** Connections that may be open at once. */
  readonly most: number;
}

/** How requests are sent that nobody is meant to keep up with. */
export interface RequestFloodOptions extends Demand {
  readonly perS: number;
  readonly durationS: number;
  /** Whether clients leave as soon as they have sent their request, or wait for the response. */
  readonly leaves: boolean;
}

const STEP_MS = 5;
const WARM_UP_MS = 300;
const MEASURED_MS = 700;
/** Enough to keep any server busy that takes ten milliseconds for a response. */
const CONNECTIONS = 10;

/** What a server can answer a second, in a closed loop; 0 if it answers nothing. */
export async function capacityOf({ origin, request, most }: Demand): Promise<number> {
  let responses = 0;
  const connections = Math.min(CONNECTIONS, most);
  using loop = closedLoop({ origin, request, connections, timeoutS: 5 }, (status) => {
    if (status >= 200 && status < 300) responses++;
  });
  loop.start();
  await pause(WARM_UP_MS);
  const before = responses;
  const startedMs = performance.now();
  // A slow server is given the time for some responses
  while (performance.now() - startedMs < MEASURED_MS || responses - before < CONNECTIONS) {
    await pause(STEP_MS);
    if (performance.now() - startedMs > 10 * MEASURED_MS) break;
  }
  return 1000 * (responses - before) / (performance.now() - startedMs);
}

/** Asks in a closed loop, with a new connection for every request. */
export async function churn(
  { origin, request, most, durationS }: Demand & { readonly durationS: number },
): Promise<void> {
  const options = { origin, request: closing(request), connections: most, timeoutS: 1 };
  using loop = closedLoop(options, () => {});
  loop.start();
  await pause(1000 * durationS);
}

function closedLoop(
  options: Omit<ClosedLoopOptions, "expected" | keyof typeof ONE_BY_ONE>,
  answered: (status: number) => void,
): ClosedLoop {
  return new ClosedLoop({ ...options, ...ONE_BY_ONE, expected: null }, {
    answered: ({ status }) => answered(status),
    failed: () => {},
    reconnected: () => {},
  });
}

function closing(request: HttpRequest): HttpRequest {
  return { ...request, headers: { ...request.headers, connection: "close" } };
}

/**
 * Sends requests at a rate, each over a connection of its own, whether or not responses come.
 *
 * @returns how many were sent
 */
export async function floodRequests(options: RequestFloodOptions): Promise<number> {
  const { origin, request, perS, durationS, most } = options;
  const bytes = encodeRequest(origin, closing(request));
  const open = new Set<Promise<unknown>>();
  let [begun, sent] = [0, 0];
  const startedMs = performance.now();
  for (;;) {
    const elapsedS = (performance.now() - startedMs) / 1000;
    const due = Math.floor(perS * Math.min(elapsedS, durationS));
    while (begun < due && open.size < most) {
      const client = visit(options, bytes).then((isSent) => {
        if (isSent) sent++;
        open.delete(client);
      });
      open.add(client);
      begun++;
    }
    if (elapsedS >= durationS) break;
    await pause(STEP_MS);
  }
  await Promise.all(open);
  return sent;
}

/**
 * One client: it sends a request, and reads until the server closes or its timeout ends.
 *
 * @returns whether the request was sent
 */
async function visit(
  { origin, leaves }: RequestFloodOptions,
  bytes: Uint8Array<ArrayBuffer>,
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
  const timer = setTimeout(leave, TIMEOUT_MS);
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
    leave();
  }
  return isSent;
}
