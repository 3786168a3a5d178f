/** Counts what servers do for one request and one connection, in a pass in which nothing is timed. */
import { compareCounts } from "../analysis/count_changes.ts";
import { opener } from "../load/driver/load_client.ts";
import type { CountKind, CountRecord } from "../model/counts.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import type { Reason } from "../model/reason.ts";
import { needsDatabase, type Scenario } from "../model/scenario.ts";
import { hideUrls } from "../model/text.ts";
import { pause } from "../process/pause.ts";
import { median, sum } from "../stats/median.ts";
import type { RunningServer } from "../target/launch.ts";
import { inspected, type Sampler } from "../target/sampler.ts";
import {
  contextSwitches,
  type CountsByName,
  NotCounted,
  processesOf,
  segmentsAt,
} from "../target/tracer.ts";
import type { RunContext } from "./run_context.ts";
import { Sequence } from "./sequence.ts";
import type { OpenTestbed } from "./testbed.ts";
import { explain, untilEnd, verified } from "./servers.ts";

/** Fresh processes of each variant. Two show what differs between processes of the same code. */
const PROCESSES = 2;
/** More processes if counts differ: Go reads each request by one or two calls, by process. */
const CONFIRMING = 1;
/** Segments of each process. A garbage collection may disturb one of those of a variant. */
const SEGMENTS = 3;
/** Requests of a segment. Background threads make about ten system calls in its time. */
const REQUESTS = 100;
/** Connections of a segment, with one request each. */
const CONNECTIONS = 50;
/** Requests while the heap grows: so few that the garbage collector hardly ever runs. */
const HEAP_REQUESTS = 20;
/** Requests before the first segment, by which connections to the database are open. */
const WARM_UP = 300;
/** The same before the heap is read, by which V8 has compiled the handlers. */
const HEAP_WARM_UP = 2000;
/** Time in ms in which a server notices closed connections. */
const CLOSING_MS = 50;

/** One count of one process, in each of its segments. */
interface Sample extends Pick<CountRecord, "kind" | "name" | "per"> {
  readonly values: readonly number[];
}

/** Counts for each variant at each scenario, and records what could not be counted. */
export async function takeCounts(context: RunContext): Promise<void> {
  const { experiment: { scenarios }, recorder, report } = context;
  for (const scenario of scenarios) {
    const absences = new Map<string, Reason>();
    const problem = unsuited(context, scenario);
    if (problem !== null) absences.set("Nothing", { kind: "message", text: problem });
    const records = problem === null ? await countScenario(context, scenario, absences) : [];
    for (const record of records) recorder.add("counts", record);
    for (const [what, reason] of absences) {
      recorder.add("countAbsences", { scenario: scenario.id, what, reason });
    }
    await report(false);
  }
}

/** Kinds that no thread in the background changes, so that a difference needs no confirmation. */
const SURE: readonly CountKind[] = ["bytes-sent", "statement"];

/** Counts in fresh processes; in one more of each variant if only calls or allocations differ. */
async function countScenario(
  context: RunContext,
  scenario: Scenario,
  absences: Map<string, Reason>,
): Promise<CountRecord[]> {
  const { variants, signal } = context;
  const own = variants.filter(({ server }) => scenario.id in server.scenarios);
  const [base, head] = own.map(({ id }) => id);
  const counted = new Map(own.map(({ id }) => [id, [] as Sample[][]]));
  let records: CountRecord[] = [];
  for (let i = 0; i < PROCESSES + CONFIRMING; i++) {
    const isConfirming = i >= PROCESSES && base !== undefined && head !== undefined;
    const found = isConfirming ? compareCounts(records, [], [base, head]).changes : [];
    const kinds = found.map(({ kind }) => kind);
    if (isConfirming && (kinds.length === 0 || kinds.some((one) => SURE.includes(one)))) break;
    const readsHeap = !isConfirming || kinds.includes("allocated-bytes");
    for (const variant of i % 2 === 0 ? own : own.toReversed()) {
      signal.throwIfAborted();
      const samples = await countProcess(context, variant, scenario, readsHeap, absences);
      if (samples === null) return []; // the counts of one side alone say nothing
      counted.get(variant.id)?.push(samples);
    }
    records = [...counted].flatMap(([variant, processes]) =>
      recordsOf(processes).map((record) => ({ variant, scenario: scenario.id, ...record }))
    );
  }
  return records;
}

/**
 * Joins the samples of the processes of a variant, without those of a single process. A system call
 * that a traced process did not make counts as 0.
 */
function recordsOf(
  processes: readonly (readonly Sample[])[],
): Omit<CountRecord, "variant" | "scenario">[] {
  const keyOf = ({ kind, name, per }: Sample): string => JSON.stringify([kind, name, per]);
  const wasTraced = processes.every((one) => one.some(({ kind }) => kind === "system-call"));
  const all = new Map(processes.flat().map((sample) => [keyOf(sample), sample]));
  return [...all].flatMap(([key, { kind, name, per, values }]) => {
    const each = processes.map((one) =>
      one.find((sample) => keyOf(sample) === key)?.values ??
        (kind === "system-call" && wasTraced ? values.map(() => 0) : null)
    ).filter((values) => values !== null);
    return each.length < PROCESSES ? [] : [{ kind, name, per, processes: each }];
  });
}

/** Returns why nothing can be counted at a scenario; null if it can. */
function unsuited({ experiment: { load } }: RunContext, scenario: Scenario): string | null {
  if (Deno.build.os !== "linux") return "only Linux shows what a process does";
  if (load.tls !== null) return "counts need a load without TLS";
  if (scenario.protocol !== "http") return "only HTTP requests are counted";
  if (scenario.mix !== undefined) return "only scenarios with one request are counted";
  return null;
}

/** Counts in fresh processes of a variant. Returns null, and adds the reason, if its server fails. */
async function countProcess(
  context: RunContext,
  { id, label, server, env }: Variant,
  scenario: Scenario,
  readsHeap: boolean,
  absences: Map<string, Reason>,
): Promise<Sample[] | null> {
  const { emit, signal, testbed } = context;
  await emit({ kind: "phase", phase: { kind: "counting", server: id, scenario: scenario.id } });
  const absent: Absent = (what, reason) => void absences.set(what, reason);
  const inFresh = async <S extends RunningServer>(
    launch: (...args: Parameters<OpenTestbed["launch"]>) => Promise<S>,
    warmUp: number,
    count: (started: S, sequence: Sequence) => Promise<Sample[]>,
  ): Promise<Sample[]> => {
    await using started = await launch(server, env);
    try {
      const { talk } = await verified(started.origin, scenario, testbed.facts, signal);
      const open = opener({ ...talk, pipelined: 1 });
      using sequence = new Sequence(open, untilEnd([started], signal));
      await sequence.warmUp(warmUp);
      return await count(started, sequence);
    } catch (error) {
      signal.throwIfAborted();
      throw new Failure((await explain(error, started, "the server")).message);
    }
  };
  try {
    const calls = await inFresh(
      testbed.launch,
      WARM_UP,
      (started, sequence) => countCalls(context, started, scenario, sequence, absent),
    );
    const { reason } = inspected(server);
    if (reason !== null) absent("Allocated bytes", reason);
    if (reason !== null || !readsHeap) return calls;
    // An old release may have another inspector, which says nothing about the other counts
    const heap = async (): Promise<Sample[]> => {
      try {
        return await inFresh(testbed.launchProfiled, HEAP_WARM_UP, countHeap);
      } catch (error) {
        signal.throwIfAborted();
        throw new NotCounted(messageOf(error));
      }
    };
    return [...calls, ...await unlessAbsent("Allocated bytes", absent, heap)];
  } catch (error) {
    signal.throwIfAborted();
    await testbed.assertSound();
    absent("Nothing", { kind: "message", text: hideUrls(`${label}: ${messageOf(error)}`) });
    return null;
  }
}

type Absent = (what: string, reason: Reason) => void;

async function countCalls(
  { testbed, signal }: RunContext,
  { origin, pid }: RunningServer,
  scenario: Scenario,
  sequence: Sequence,
  absent: Absent,
): Promise<Sample[]> {
  if (pid === null) throw new Failure("its process is unknown");
  const { port } = new URL(origin);
  const samples: Sample[] = [];
  /** Counts by a function that returns the counts of one segment; what it cannot count is absent. */
  const count = async (
    what: string,
    take: () => Promise<Partial<Record<CountKind, number>>>,
  ): Promise<void> => {
    const segments = await unlessAbsent(what, absent, () => repeat(take));
    for (const kind of Object.keys(segments[0] ?? {}) as CountKind[]) {
      const values = segments.map((one) => (one[kind] ?? 0) / REQUESTS);
      samples.push({ kind, name: null, per: "request", values });
    }
  };
  await count("Context switches", async () => {
    const before = contextSwitches(processesOf(pid));
    await sequence.ask(REQUESTS);
    return { "context-switch": contextSwitches(processesOf(pid)) - before };
  });
  await count("TCP segments", async () => {
    const before = await segmentsAt(port);
    await sequence.ask(REQUESTS);
    const after = await segmentsAt(port);
    return {
      "segments-received": after.in - before.in,
      "segments-sent": after.out - before.out,
    };
  });
  await count("Bytes", async () => ({ "bytes-sent": await sequence.ask(REQUESTS) }));
  if (needsDatabase(scenario)) {
    await count("Statements", async () => {
      const counted = await testbed.countStatements();
      if (counted === null) throw new NotCounted("the database does not count them");
      await sequence.ask(REQUESTS);
      return { statement: sum((await counted()).statements.map(({ calls }) => calls)) };
    });
  }
  const traced = (during: () => Promise<unknown>): Promise<CountsByName[]> =>
    unlessAbsent(
      "System calls",
      absent,
      () => repeat(() => testbed.traceCalls(processesOf(pid), async () => void await during())),
    );
  const ofRequests = await traced(() => sequence.ask(REQUESTS));
  const ofConnections = ofRequests.length === 0 ? [] : await traced(async () => {
    await sequence.connect(CONNECTIONS);
    await pause(CLOSING_MS, signal);
  });
  if (ofConnections.length === 0) return samples;
  for (const name of new Set([...ofRequests, ...ofConnections].flatMap((one) => [...one.keys()]))) {
    const each = ofRequests.map((one) => (one.get(name) ?? 0) / REQUESTS);
    const more = ofConnections.map((one) => (one.get(name) ?? 0) / CONNECTIONS - median(each));
    samples.push({ kind: "system-call", name, per: "request", values: each });
    samples.push({ kind: "system-call", name, per: "connection", values: more });
  }
  return samples;
}

/** Returns the results of {@linkcode SEGMENTS} calls. */
async function repeat<T>(take: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < SEGMENTS; i++) results.push(await take());
  return results;
}

/** Returns what `count` does, or an empty list and the reason if that cannot be counted. */
async function unlessAbsent<T>(
  what: string,
  absent: Absent,
  count: () => Promise<T[]>,
): Promise<T[]> {
  try {
    return await count();
  } catch (error) {
    if (!(error instanceof NotCounted)) throw error;
    absent(what, { kind: "message", text: error.message });
    return [];
  }
}

/** Counts the bytes that a server on V8 allocates, in a process with an inspector. */
async function countHeap(
  { sampler }: { readonly sampler: Sampler },
  sequence: Sequence,
): Promise<Sample[]> {
  const values: number[] = [];
  // A garbage collection in between makes the difference smaller, so some more are taken
  for (let i = 0; i < 3 * SEGMENTS; i++) {
    const before = await sampler.heapBytes();
    await sequence.ask(HEAP_REQUESTS);
    values.push((await sampler.heapBytes() - before) / HEAP_REQUESTS);
  }
  const usual = median(values);
  const undisturbed = values.toSorted((a, b) => Math.abs(a - usual) - Math.abs(b - usual));
  const own = { kind: "allocated-bytes", name: null, per: "request" } as const;
  return [{ ...own, values: undisturbed.slice(0, SEGMENTS) }];
}
