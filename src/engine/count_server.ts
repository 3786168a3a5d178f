/** Counts what one server does for a request and a connection. */
import type { CountKind, CountRecord } from "../model/counts.ts";
import { Failure } from "../model/errors.ts";
import type { Reason } from "../model/reason.ts";
import { needsDatabase, type Scenario } from "../model/scenario.ts";
import { pause } from "../process/pause.ts";
import { median, sum } from "../stats/median.ts";
import type { RunningServer } from "../target/launch.ts";
import type { Sampler } from "../target/sampler.ts";
import {
  contextSwitches,
  type CountsByName,
  NotCounted,
  processesOf,
  segmentsAt,
} from "../target/tracer.ts";
import type { RunContext } from "./run_context.ts";
import type { Sequence } from "./sequence.ts";
import type { OpenTestbed } from "./testbed.ts";

/** Segments of each process. A garbage collection may disturb one of those of a variant. */
const SEGMENTS = 3;
/** Requests of a segment. Background threads make about ten system calls in its time. */
const REQUESTS = 100;
/** Connections of a segment, with one request each. */
const CONNECTIONS = 50;
/** Requests while the heap grows: so few that the garbage collector hardly ever runs. */
const HEAP_REQUESTS = 20;
/** Requests before the first segment, on a new connection. */
const CONNECTING = 10;
/** Time in ms in which a server notices closed connections. */
const CLOSING_MS = 50;

/** One count of one process, in each of its segments. */
export interface Sample extends Pick<CountRecord, "kind" | "name" | "per"> {
  readonly values: readonly number[];
}

/** Takes the name of a missing count, and the reason. */
export type Absent = (what: string, reason: Reason) => void;

/**
 * Counts bytes, segments, context switches, statements and system calls. What this machine cannot count is
 * absent.
 *
 * @throws {Failure} if the server fails.
 */
export async function countCalls(
  { testbed, signal }: RunContext,
  { origin, pid }: RunningServer,
  sequence: Sequence,
  scenario: Scenario,
  absent: Absent,
): Promise<Sample[]> {
  if (pid === null) throw new Failure("its process is unknown");
  await sequence.ask(CONNECTING);
  const meters = metersOf(testbed, pid, new URL(origin).port, scenario);
  const segments = await repeat(() => countSegment(meters, sequence, absent));
  const samples = (Object.keys(segments[0] ?? {}) as CountKind[]).flatMap((kind): Sample[] => {
    const values = segments.flatMap((one) => one[kind] ?? []).map((value) => value / REQUESTS);
    // What could not be counted in one of them is absent
    return values.length < SEGMENTS ? [] : [{ kind, name: null, per: "request", values }];
  });
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

type Counts = Partial<Record<CountKind, number>>;

/** A count from outside of the server. `start` returns a function that returns the counts since then. */
interface Meter {
  readonly what: string;
  readonly start: () => Promise<() => Promise<Counts>>;
}

function metersOf(testbed: OpenTestbed, pid: number, port: string, scenario: Scenario): Meter[] {
  const statements = async (): ReturnType<Meter["start"]> => {
    const counted = await testbed.countStatements();
    if (counted === null) throw new NotCounted("the database does not count them");
    return async () => ({ statement: sum((await counted()).statements.map(({ calls }) => calls)) });
  };
  const segments = async (): ReturnType<Meter["start"]> => {
    const before = await segmentsAt(port);
    return async () => {
      const after = await segmentsAt(port);
      return {
        "segments-received": after.in - before.in,
        "segments-sent": after.out - before.out,
      };
    };
  };
  const switches = (): ReturnType<Meter["start"]> => {
    const before = contextSwitches(processesOf(pid));
    const read = (): Counts => ({ "context-switch": contextSwitches(processesOf(pid)) - before });
    return Promise.resolve(() => Promise.resolve(read()));
  };
  return [
    ...needsDatabase(scenario) ? [{ what: "Statements", start: statements }] : [],
    { what: "TCP segments", start: segments },
    { what: "Context switches", start: switches },
  ];
}

/** Sends the requests of a segment, and returns what was counted meanwhile. */
async function countSegment(
  meters: readonly Meter[],
  sequence: Sequence,
  absent: Absent,
): Promise<Counts> {
  const started: (() => Promise<Counts[]>)[] = [];
  for (const { what, start } of meters) {
    const reads = await unlessAbsent(what, absent, async () => [await start()]);
    for (const read of reads) {
      started.push(() => unlessAbsent(what, absent, async () => [await read()]));
    }
  }
  const counts: Counts = { "bytes-sent": await sequence.ask(REQUESTS) };
  // The last one started is the first to end: the others take time, in which threads may wake up
  for (const read of started.toReversed()) Object.assign(counts, ...await read());
  return counts;
}

/** Returns the results of {@linkcode SEGMENTS} calls. */
async function repeat<T>(take: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < SEGMENTS; i++) results.push(await take());
  return results;
}

/** Returns what `count` does, or an empty list and the reason if that cannot be counted. */
export async function unlessAbsent<T>(
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

/** Counts the bytes that V8 allocates for a request, by its inspector. */
export async function countHeap(sampler: Sampler, sequence: Sequence): Promise<Sample> {
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
  return { ...own, values: undisturbed.slice(0, SEGMENTS) };
}
