/** Measures idle servers, in fresh processes. */
import { IdleConnections } from "../load/idle_connections.ts";
import type { CostGroup, CostId } from "../model/costs.ts";
import { Failure } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import { allOf } from "../process/all_of.ts";
import { pause } from "../process/pause.ts";
import { contextSwitches, processesOf } from "../target/tracer.ts";
import { privateBytes, threadsUs } from "../target/usage.ts";
import type { RunContext } from "./run_context.ts";
import { explained, startAll } from "./servers.ts";
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

/** Measures idle servers, which run at the same time, without and with idle connections. */
export async function measureIdle(
  context: RunContext,
  variants: readonly Variant[],
  groups: readonly CostGroup[],
  add: (variant: string, cost: CostId, value: number) => void,
): Promise<void> {
  const { testbed, signal } = context;
  await using running = new AsyncDisposableStack();
  const all = (await startAll(testbed.launch, variants, running)).map((one) => ({
    ...one,
    connections: running.use(new IdleConnections(one.started.origin)),
    pid: known(one.started.pid),
  }));
  const isIdle = groups.includes("idle");
  const openAll = (count: number): Promise<unknown> =>
    allOf(all.map((one) => {
      const most = Math.min(count, one.variant.server.maxConnections ?? count);
      return explained(one, () => one.connections.open(most, signal));
    }));
  await pause(SETTLE_MS, signal);
  if (isIdle) {
    const watched = await watch(all.map(({ pid }) => pid), signal);
    for (const [i, { variant }] of all.entries()) {
      add(variant.id, "idleCpuUs", watched[i]?.cpuUs ?? 0);
      add(variant.id, "idleWakeUps", watched[i]?.wakeUps ?? 0);
    }
  }
  const before = all.map(({ pid }) => known(privateBytes(pid)));
  const isMemory = groups.includes("memory");
  for (const [i, { variant }] of all.entries()) {
    if (isMemory) add(variant.id, "idleBytes", before[i] ?? 0);
  }
  if (isIdle) {
    await openAll(WATCHED);
    await pause(SETTLE_MS, signal);
    const watched = await watch(all.map(({ pid }) => pid), signal);
    for (const [i, { variant }] of all.entries()) {
      add(variant.id, "connectedCpuUs", watched[i]?.cpuUs ?? 0);
    }
  }
  if (!isMemory) return;
  await openAll(CONNECTIONS);
  await pause(ACCEPT_MS, signal);
  for (const [i, { variant, pid }] of all.entries()) {
    const grown = Math.max(0, known(privateBytes(pid)) - (before[i] ?? 0));
    add(variant.id, "connectionBytes", grown / Math.max(1, all[i]?.connections.count ?? 0));
  }
}

/** Measures servers with few requests, in turn. */
export async function measureQuiet(
  context: RunContext,
  variants: readonly Variant[],
  add: (variant: string, cost: CostId, value: number) => void,
): Promise<void> {
  const [scenario] = context.experiment.scenarios;
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
