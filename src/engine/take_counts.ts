/** Counts what servers do for one request and one connection, in a pass in which nothing is timed. */
import { type Client, opener } from "../load/driver/load_client.ts";
import type { CountKind, CountRecord } from "../model/counts.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import type { Reason } from "../model/reason.ts";
import { needsDatabase, type Scenario } from "../model/scenario.ts";
import { hideUrls } from "../model/text.ts";
import { pause } from "../process/pause.ts";
import { median, sum } from "../stats/median.ts";
import { inspected } from "../target/sampler.ts";
import { contextSwitches, type CountsByName, processesOf, segmentsAt } from "../target/tracer.ts";
import type { RunContext } from "./run_context.ts";
import { verified } from "./servers.ts";

/** Fresh processes of each variant. Two show what differs between processes of the same code. */
const PROCESSES = 2;
/** Segments of each process. The median of three ignores one with a garbage collection. */
const SEGMENTS = 3;
/** Requests of a segment. Background threads make about ten system calls in its time. */
const REQUESTS = 100;
/** Connections of a segment, with one request each. */
const CONNECTIONS = 20;
/** Requests while the heap grows: so few that the garbage collector hardly ever runs. */
const HEAP_REQUESTS = 20;
/** Requests before the first segment, by which V8 has compiled the handlers. */
const WARM_UP = 2000;
/** Longest time of these requests, in ms. */
const WARM_UP_MS = 1000;
/** Longest mean time of a response, in ms: with slower ones, a pass would take minutes. */
const SLOWEST_MS = 20;
/** Time in ms in which a server notices closed connections. */
const CLOSING_MS = 50;

/** Counts for one scenario, by variant, kind, name and unit. */
class Counts {
  readonly #records: Map<string, { record: CountRecord; processes: number[][] }> = new Map();

  constructor(readonly scenario: string) {}

  /** Adds the counts of the segments of one process. Their `name` is that of the system call. */
  add(
    variant: string,
    process: number,
    per: CountRecord["per"],
    kind: CountKind,
    values: readonly number[],
    name: string | null = null,
  ): void {
    const key = JSON.stringify([variant, kind, name, per]);
    const processes = this.#records.get(key)?.processes ??
      Array.from({ length: PROCESSES }, () => values.map(() => 0));
    processes[process] = [...values];
    const record = { variant, scenario: this.scenario, kind, name, per, processes };
    this.#records.set(key, { record, processes });
  }

  get records(): CountRecord[] {
    return [...this.#records.values()].map(({ record }) => record);
  }
}

/** Counts for each variant at each scenario, and records what could not be counted. */
export async function takeCounts(context: RunContext): Promise<void> {
  const { experiment: { scenarios }, variants, recorder, emit, signal, testbed, report } = context;
  for (const scenario of scenarios) {
    const own = variants.filter(({ server }) => scenario.id in server.scenarios);
    const absences = new Map<string, Reason>();
    const absent = (what: string, reason: Reason): void => void absences.set(what, reason);
    const counts = new Counts(scenario.id);
    const problem = unsuited(context, scenario);
    if (problem !== null) absent("Nothing", { kind: "message", text: problem });
    for (let process = 0; problem === null && process < PROCESSES; process++) {
      for (const variant of process % 2 === 0 ? own : own.toReversed()) {
        signal.throwIfAborted();
        await emit({
          kind: "phase",
          phase: { kind: "counting", server: variant.id, scenario: scenario.id },
        });
        try {
          await countCalls(context, variant, scenario, process, counts, absent);
          await countHeap(context, variant, scenario, process, counts, absent);
        } catch (error) {
          signal.throwIfAborted();
          await testbed.assertSound();
          absent(variant.label, { kind: "message", text: hideUrls(messageOf(error)) });
        }
      }
    }
    for (const record of counts.records) recorder.add("counts", record);
    for (const [what, reason] of absences) {
      recorder.add("countAbsences", { scenario: scenario.id, what, reason });
    }
    await report(false);
  }
}

/** Returns why nothing can be counted at a scenario; null if it can. */
function unsuited({ experiment: { load } }: RunContext, scenario: Scenario): string | null {
  if (Deno.build.os !== "linux") return "only Linux shows what a process does";
  if (load.tls !== null) return "counts need a load without TLS";
  if (scenario.protocol !== "http") return "only HTTP requests are counted";
  if (scenario.mix !== undefined) return "only scenarios with one request are counted";
  return null;
}

type Absent = (what: string, reason: Reason) => void;

async function countCalls(
  { testbed, signal }: RunContext,
  variant: Variant,
  scenario: Scenario,
  process: number,
  counts: Counts,
  absent: Absent,
): Promise<void> {
  const { id } = variant;
  await using server = await testbed.launch(variant.server, variant.env);
  if (server.pid === null) throw new Failure("its process is unknown");
  const pids = processesOf(server.pid);
  const { talk } = await verified(server.origin, scenario, testbed.facts, signal);
  const open = opener({ ...talk, pipelined: 1 });
  using sequence = await Sequence.start(open, signal);
  const { port } = new URL(server.origin);
  const each = async (
    kind: CountKind,
    what: string,
    take: () => Promise<number>,
  ): Promise<void> => {
    try {
      const values: number[] = [];
      for (let i = 0; i < SEGMENTS; i++) values.push(await take() / REQUESTS);
      counts.add(id, process, "request", kind, values);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      absent(what, { kind: "message", text: error.message });
    }
  };
  await each("context-switch", "Context switches", async () => {
    const before = contextSwitches(pids) ?? 0;
    await sequence.ask(REQUESTS);
    return (contextSwitches(pids) ?? 0) - before;
  });
  for (const [kind, way] of [["segments-received", "in"], ["segments-sent", "out"]] as const) {
    await each(kind, "TCP segments", async () => {
      const before = await segmentsAt(port);
      await sequence.ask(REQUESTS);
      return (await segmentsAt(port))[way] - before[way];
    });
  }
  await each("bytes-sent", "Bytes", () => sequence.ask(REQUESTS));
  if (needsDatabase(scenario)) {
    await each("statement", "Statements", async () => {
      const counted = await testbed.countStatements();
      if (counted === null) throw new Failure("the database does not count them");
      await sequence.ask(REQUESTS);
      return sum((await counted()).statements.map(({ calls }) => calls));
    });
  }
  try {
    const traced = async (during: () => Promise<unknown>): Promise<CountsByName[]> => {
      const segments: CountsByName[] = [];
      for (let i = 0; i < SEGMENTS; i++) {
        segments.push(await testbed.traceCalls(pids, async () => void await during()));
      }
      return segments;
    };
    const ofRequests = await traced(() => sequence.ask(REQUESTS));
    const ofConnections = await traced(async () => {
      for (let i = 0; i < CONNECTIONS; i++) {
        const client = await open();
        await client.ask();
        client.close();
      }
      await pause(CLOSING_MS, signal);
    });
    for (
      const name of new Set([...ofRequests, ...ofConnections].flatMap((one) => [...one.keys()]))
    ) {
      const each = ofRequests.map((one) => (one.get(name) ?? 0) / REQUESTS);
      const request = median(each);
      counts.add(id, process, "request", "system-call", each, name);
      counts.add(
        id,
        process,
        "connection",
        "system-call",
        ofConnections.map((one) => (one.get(name) ?? 0) / CONNECTIONS - request),
        name,
      );
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    absent("System calls", { kind: "message", text: error.message });
  }
}

/** Counts the bytes that a server on V8 allocates, in a process with an inspector. */
async function countHeap(
  { testbed, signal }: RunContext,
  { id, server, env }: Variant,
  scenario: Scenario,
  process: number,
  counts: Counts,
  absent: Absent,
): Promise<void> {
  const { reason } = inspected(server);
  if (reason !== null) return absent("Allocated bytes", reason);
  await using profiled = await testbed.launchProfiled(server, env);
  const { talk } = await verified(profiled.origin, scenario, testbed.facts, signal);
  using sequence = await Sequence.start(opener({ ...talk, pipelined: 1 }), signal);
  const values: number[] = [];
  // A garbage collection in between makes the difference smaller, so some more are taken
  for (let i = 0; i < 3 * SEGMENTS; i++) {
    const before = await profiled.sampler.heapBytes();
    await sequence.ask(HEAP_REQUESTS);
    values.push((await profiled.sampler.heapBytes() - before) / HEAP_REQUESTS);
  }
  const usual = median(values);
  const undisturbed = values.toSorted((a, b) => Math.abs(a - usual) - Math.abs(b - usual));
  counts.add(id, process, "request", "allocated-bytes", undisturbed.slice(0, SEGMENTS));
}

/** Sequential requests on one connection. */
class Sequence implements Disposable {
  readonly #open: () => Promise<Client>;
  readonly #signal: AbortSignal;
  #client: Client;

  private constructor(open: () => Promise<Client>, client: Client, signal: AbortSignal) {
    this.#open = open;
    this.#client = client;
    this.#signal = signal;
  }

  /** Connects and warms the server up. Throws a `Failure` if its responses are slow. */
  static async start(open: () => Promise<Client>, signal: AbortSignal): Promise<Sequence> {
    const sequence = new Sequence(open, await open(), signal);
    const startedMs = performance.now();
    let [asked, tookMs] = [0, 0];
    while (asked < WARM_UP && tookMs < WARM_UP_MS) {
      await sequence.ask(1);
      asked++;
      tookMs = performance.now() - startedMs;
    }
    if (tookMs / asked <= SLOWEST_MS) return sequence;
    sequence[Symbol.dispose]();
    throw new Failure(`its responses take longer than ${SLOWEST_MS} ms`);
  }

  /** Sends requests, each after the last response. Returns the number of received bytes. */
  async ask(count: number): Promise<number> {
    let bytes = 0;
    for (let i = 0; i < count; i++) {
      this.#signal.throwIfAborted();
      const response = await this.#client.ask();
      bytes += response.bytes;
      if (response.keepsAlive) continue;
      this.#client.close();
      this.#client = await this.#open();
    }
    return bytes;
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}
