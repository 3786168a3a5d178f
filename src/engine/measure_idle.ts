/** Measures idle servers, in fresh processes. */
import { IdleConnections } from "../load/idle_connections.ts";
import type { CostId } from "../model/costs.ts";
import { Failure } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import { allOf } from "../process/all_of.ts";
import { pause } from "../process/pause.ts";
import { contextSwitches, processesOf } from "../target/tracer.ts";
import { privateBytes, threadsUs } from "../target/usage.ts";
import type { RunContext } from "./run_context.ts";
import { explained, startAll, type Started } from "./servers.ts";
import { loadQuietly, prepareLoad } from "./turns.ts";

/** Time in ms after which a server has ended the work of its start, such as garbage collection. */
const SETTLE_MS = 500;
/** Time in ms over which an idle server is watched: a timer of 100 ms fires ten times. */
const IDLE_MS = 1000;
/** Idle connections while the server is watched. */
const WATCHED = 100;
/** Number of idle connections, by which memory is divided. A heap grows in steps of up to a megabyte. */
const CONNECTIONS = 5000;
/** Time in ms in which a server accepts the last connections. */
const ACCEPT_MS = 200;

/** A running server without load. */
export interface IdleServer extends Started {
  readonly connections: IdleConnections;
  readonly pid: number;
  /** Its private memory without a connection. */
  readonly bytes: number;
}

type Add = (variant: string, cost: CostId, value: number) => void;

/** Starts servers at the same time, and waits until they have settled. `running` stops them. */
export async function startIdle(
  { testbed, signal }: RunContext,
  variants: readonly Variant[],
  running: AsyncDisposableStack,
): Promise<IdleServer[]> {
  const all = await startAll(testbed.launch, variants, running);
  await pause(SETTLE_MS, signal);
  return all.map((one) => {
    const pid = known(one.started.pid);
    const connections = running.use(new IdleConnections(one.started.origin));
    return { ...one, connections, pid, bytes: known(privateBytes(pid)) };
  });
}

/** Measures what idle servers do without a connection, and with idle ones. */
export async function measureIdle(
  { signal }: RunContext,
  servers: readonly IdleServer[],
  add: Add,
): Promise<void> {
  const pids = servers.map(({ pid }) => pid);
  const alone = await watch(pids, signal);
  await openAll(servers, WATCHED, signal);
  await pause(SETTLE_MS, signal);
  const connected = await watch(pids, signal);
  for (const [i, { variant }] of servers.entries()) {
    add(variant.id, "idleCpuUs", alone[i]?.cpuUs ?? 0);
    add(variant.id, "idleWakeUps", alone[i]?.wakeUps ?? 0);
    add(variant.id, "connectedCpuUs", connected[i]?.cpuUs ?? 0);
  }
}

/** Measures the memory of idle servers, and its growth with many idle connections. */
export async function measureMemory(
  { signal }: RunContext,
  servers: readonly IdleServer[],
  add: Add,
): Promise<void> {
  await openAll(servers, CONNECTIONS, signal);
  await pause(ACCEPT_MS, signal);
  for (const { variant, pid, bytes, connections } of servers) {
    const grown = Math.max(0, known(privateBytes(pid)) - bytes);
    add(variant.id, "idleBytes", bytes);
    add(variant.id, "connectionBytes", grown / Math.max(1, connections.count));
  }
}

async function openAll(
  servers: readonly IdleServer[],
  count: number,
  signal: AbortSignal,
): Promise<void> {
  await allOf(servers.map((one) => {
    const most = Math.min(count, one.variant.server.maxConnections ?? count);
    return explained(one, () => one.connections.open(most, signal));
  }));
}

/** Measures servers with few requests of the first scenario that all of them implement, in turn. */
export async function measureQuiet(
  context: RunContext,
  variants: readonly Variant[],
  add: Add,
): Promise<void> {
  const scenario = context.experiment.scenarios.find(({ id }) =>
    variants.every(({ server }) => id in server.scenarios)
  );
  if (scenario === undefined) return;
  await using running = new AsyncDisposableStack();
  for (const one of await prepareLoad(context, scenario, variants, running)) {
    const pid = known(one.started.pid);
    const readings: (Activity & { readonly atMs: number })[] = [];
    const read = (): void => {
      try {
        readings.push({ ...activityOf(pid), atMs: performance.now() });
      } catch {
        // The server has ended, and the load fails
      }
    };
    await loadQuietly(context, one, { opened: read, closed: read });
    const [before = null, after = null] = readings;
    const seconds = (known(after).atMs - known(before).atMs) / 1000;
    const used = usedBetween(known(before), known(after), seconds);
    add(one.variant.id, "quietCpuUs", used.cpuUs);
    add(one.variant.id, "quietWakeUps", used.wakeUps);
  }
}

/** CPU time and wake-ups of a program with its descendants, since its start. */
interface Activity {
  readonly cpuUs: number;
  readonly wakeUps: number;
}

function activityOf(pid: number): Activity {
  return { cpuUs: known(threadsUs(pid)), wakeUps: contextSwitches(processesOf(pid)) };
}

/** Returns the activity of a second. */
function usedBetween(before: Activity, after: Activity, seconds: number): Activity {
  return {
    cpuUs: Math.max(0, after.cpuUs - before.cpuUs) / seconds,
    wakeUps: Math.max(0, after.wakeUps - before.wakeUps) / seconds,
  };
}

/** Returns what processes with all their descendants do in a second. */
async function watch(pids: readonly number[], signal: AbortSignal): Promise<Activity[]> {
  const read = (): Activity[] => pids.map(activityOf);
  const startedMs = performance.now();
  const before = read();
  await pause(IDLE_MS, signal);
  const after = read();
  const seconds = (performance.now() - startedMs) / 1000;
  return after.map((one, i) => usedBetween(before[i] ?? one, one, seconds));
}

/** Returns a value, or throws a `Failure` if the system does not report it. */
export function known<T>(value: T | null): T {
  if (value !== null) return value;
  throw new Failure(
    Deno.build.os === "linux"
      ? "a server ended, or its process is unknown"
      : "only Linux shows what a process uses",
  );
}
