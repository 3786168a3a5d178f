/** Measures what servers cost apart from responses: in fresh processes, without load. */
import { IdleConnections } from "../load/idle_connections.ts";
import type { CostGroup, CostId } from "../model/costs.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import { hideUrls } from "../model/text.ts";
import { allOf } from "../process/all_of.ts";
import { pause } from "../process/pause.ts";
import { median } from "../stats/median.ts";
import type { RunningServer } from "../target/launch.ts";
import { contextSwitches, processesOf } from "../target/tracer.ts";
import { privateBytes, threadsUs } from "../target/usage.ts";
import type { RunContext } from "./run_context.ts";
import { explain } from "./servers.ts";

/** Starts of each server in a round. A single slow one does not change their median. */
const STARTS = 3;
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

/** Takes a cost of one variant. */
type Add = (variant: string, cost: CostId, value: number) => void;

/** Measures the costs of all variants in some rounds, and records what could not be measured. */
export async function measureCosts(
  context: RunContext,
  groups: readonly CostGroup[],
  rounds: readonly number[],
): Promise<void> {
  const { variants, recorder, report, emit, experiment: { load } } = context;
  for (const round of rounds) {
    const order = round % 2 === 1 ? variants : variants.toReversed();
    const isOpen = (group: CostGroup): boolean =>
      groups.includes(group) && recorder.costAbsences.every((absence) => absence.group !== group);
    const own = groups.filter(isOpen);
    if (own.length === 0) return;
    await emit({ kind: "phase", phase: { kind: "costs", round, groups: own } });
    const add: Add = (variant, cost, value) =>
      recorder.add("costs", { variant, round, cost, value });
    const unloaded = own.filter((group) => group !== "startup");
    if (own.includes("startup")) {
      await attempt(context, ["startup"], () => measureStarts(context, order, add));
    }
    if (unloaded.length > 0) {
      await attempt(context, unloaded, async () => {
        // An idle connection has no handshake here, so it would cost less than it does
        if (load.tls !== null) throw new Failure("idle connections need a load without TLS");
        await measureUnloaded(context, order, unloaded, add);
      });
    }
    await report(false);
  }
}

/** Measures groups of costs. If that fails, it records the reason for all of them. */
async function attempt(
  { signal, testbed, recorder }: RunContext,
  groups: readonly CostGroup[],
  measure: () => Promise<void>,
): Promise<void> {
  try {
    await measure();
  } catch (error) {
    signal.throwIfAborted();
    await testbed.assertSound();
    const reason = { kind: "message", text: hideUrls(messageOf(error)) } as const;
    for (const group of groups) recorder.add("costAbsences", { group, reason });
  }
}

/** Starts the servers in turn, several times, so that the machine is alike for all of them. */
async function measureStarts(
  { testbed, signal }: RunContext,
  variants: readonly Variant[],
  add: Add,
): Promise<void> {
  const starts = new Map(
    variants.map(({ id }) => [id, { us: [] as number[], cpuUs: [] as number[] }]),
  );
  for (let i = 0; i < STARTS; i++) {
    for (const variant of i % 2 === 0 ? variants : variants.toReversed()) {
      signal.throwIfAborted();
      await using started = await launched({ testbed }, variant);
      const { startUpS, pid } = started;
      if (startUpS === null) throw new Failure(`${variant.label}: its first response was wrong`);
      const own = starts.get(variant.id);
      own?.us.push(1e6 * startUpS);
      const cpuUs = pid === null ? null : threadsUs(pid);
      if (cpuUs !== null) own?.cpuUs.push(cpuUs);
    }
  }
  for (const [variant, { us, cpuUs }] of starts) {
    add(variant, "startUpUs", median(us));
    if (cpuUs.length === STARTS) add(variant, "startUpCpuUs", median(cpuUs));
  }
}

/** Measures idle servers, which run at the same time, without and with idle connections. */
async function measureUnloaded(
  context: RunContext,
  variants: readonly Variant[],
  groups: readonly CostGroup[],
  add: Add,
): Promise<void> {
  const { signal } = context;
  await using running = new AsyncDisposableStack();
  const all = await allOf(variants.map(async (variant) => {
    const started = running.use(await launched(context, variant));
    const connections = running.use(new IdleConnections(started.origin));
    return { variant, started, connections, pid: known(started.pid) };
  }));
  const isIdle = groups.includes("idle");
  const openAll = (count: number): Promise<unknown> =>
    allOf(all.map(async ({ variant, started, connections }) => {
      try {
        await connections.open(Math.min(count, variant.server.maxConnections ?? count), signal);
      } catch (error) {
        const { message } = await explain(error, started, "the server");
        throw new Failure(`${variant.label}: ${message}`);
      }
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

/** Returns what processes with all their descendants do in a second. */
async function watch(
  pids: readonly number[],
  signal: AbortSignal,
): Promise<{ readonly cpuUs: number; readonly wakeUps: number }[]> {
  const read = () =>
    pids.map((pid) => ({
      cpuUs: known(threadsUs(pid)),
      wakeUps: contextSwitches(processesOf(pid)),
    }));
  const startedMs = performance.now();
  const before = read();
  await pause(IDLE_MS, signal);
  const after = read();
  const seconds = (performance.now() - startedMs) / 1000;
  return after.map(({ cpuUs, wakeUps }, i) => ({
    cpuUs: Math.max(0, cpuUs - (before[i]?.cpuUs ?? 0)) / seconds,
    wakeUps: Math.max(0, wakeUps - (before[i]?.wakeUps ?? 0)) / seconds,
  }));
}

/** Starts a server. A `Failure` names the variant. */
async function launched(
  { testbed }: Pick<RunContext, "testbed">,
  { label, server, env }: Variant,
): Promise<RunningServer> {
  try {
    return await testbed.launch(server, env);
  } catch (error) {
    throw new Failure(`${label}: ${messageOf(error)}`);
  }
}

/** Returns a value, or throws a `Failure` if the system does not report it. */
function known<T>(value: T | null): T {
  if (value !== null) return value;
  throw new Failure(
    Deno.build.os === "linux"
      ? "a server ended, or its process is unknown"
      : "only Linux shows what a process uses",
  );
}
