/** Counts what servers do for one request and one connection, in a pass in which nothing is timed. */
import { compareCounts } from "../analysis/count_changes.ts";
import { opener } from "../load/driver/load_client.ts";
import type { CountKind, CountRecord } from "../model/counts.ts";
import { messageOf } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import type { Reason } from "../model/reason.ts";
import type { Scenario } from "../model/scenario.ts";
import { hideUrls } from "../model/text.ts";
import { allOf } from "../process/all_of.ts";
import type { RunningServer } from "../target/launch.ts";
import { inspected } from "../target/sampler.ts";
import { NotCounted } from "../target/tracer.ts";
import { type Absent, countCalls, countHeap, type Sample, unlessAbsent } from "./count_server.ts";
import type { RunContext } from "./run_context.ts";
import { Sequence } from "./sequence.ts";
import type { OpenTestbed } from "./testbed.ts";
import { explained, startAll, untilEnd, verified } from "./servers.ts";

/** Fresh processes of each variant. Two show what differs between processes of the same code. */
const PROCESSES = 2;
/** More processes if counts differ: Go reads each request by one or two calls, by process. */
const CONFIRMING = 1;
/** Requests before the first segment, by which connections to the database are open. */
const WARM_UP = 300;
/** The same before the heap is read, by which V8 has compiled the handlers. */
const HEAP_WARM_UP = 2000;

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
  const own = context.variants.filter(({ server }) => scenario.id in server.scenarios);
  const [base, head] = own.map(({ id }) => id);
  const counted = new Map(own.map(({ id }) => [id, [] as (readonly Sample[])[]]));
  let records: CountRecord[] = [];
  for (let i = 0; i < PROCESSES + CONFIRMING; i++) {
    const isConfirming = i >= PROCESSES && base !== undefined && head !== undefined;
    const found = isConfirming ? compareCounts(records, [], [base, head]).changes : [];
    const kinds = found.map(({ kind }) => kind);
    if (isConfirming && (kinds.length === 0 || kinds.some((one) => SURE.includes(one)))) break;
    const readsHeap = !isConfirming || kinds.includes("allocated-bytes");
    const order = i % 2 === 0 ? own : own.toReversed();
    const samples = await countProcesses(context, order, scenario, readsHeap, absences);
    if (samples === null) return []; // the counts of one side alone say nothing
    for (const [variant, each] of samples) counted.get(variant)?.push(each);
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

/**
 * Counts in a fresh process of each variant, and returns the samples by variant. Returns null, and adds
 * the reason, if a server fails. The servers start and warm up at the same time, and are counted in turn.
 */
async function countProcesses(
  context: RunContext,
  variants: readonly Variant[],
  scenario: Scenario,
  readsHeap: boolean,
  absences: Map<string, Reason>,
): Promise<Map<string, readonly Sample[]> | null> {
  const { emit, signal, testbed } = context;
  const absent: Absent = (what, reason) => void absences.set(what, reason);
  if (variants.length === 0) return null;
  await emit({
    kind: "phase",
    phase: { kind: "counting", servers: variants.map(({ id }) => id), scenario: scenario.id },
  });
  const samples = new Map<string, readonly Sample[]>();
  try {
    await using running = new AsyncDisposableStack();
    const plain = { launch: testbed.launch, warmUp: WARM_UP };
    for (const one of await prepare(context, variants, scenario, plain, running)) {
      const count = () => countCalls(context, one.started, one.sequence, scenario, absent);
      samples.set(one.variant.id, await explained(one, count));
    }
    await running.disposeAsync();
    const [reason] = variants.map(({ server }) => inspected(server).reason)
      .filter((one) => one !== null);
    if (reason !== undefined) absent("Allocated bytes", reason);
    if (reason !== undefined || !readsHeap) return samples;
    const heaps = await unlessAbsent(
      "Allocated bytes",
      absent,
      () => countHeaps(context, variants, scenario),
    );
    for (const [variant, heap] of heaps) {
      samples.set(variant, [...samples.get(variant) ?? [], heap]);
    }
    return samples;
  } catch (error) {
    signal.throwIfAborted();
    await testbed.assertSound();
    absent("Nothing", { kind: "message", text: hideUrls(messageOf(error)) });
    return null;
  }
}

/** Counts the bytes that servers on V8 allocate, in processes with an inspector. */
async function countHeaps(
  context: RunContext,
  variants: readonly Variant[],
  scenario: Scenario,
): Promise<[variant: string, Sample][]> {
  const profiled = { launch: context.testbed.launchProfiled, warmUp: HEAP_WARM_UP };
  try {
    await using running = new AsyncDisposableStack();
    const ready = await prepare(context, variants, scenario, profiled, running);
    return await allOf(ready.map(async (one): Promise<[string, Sample]> => [
      one.variant.id,
      await explained(one, () => countHeap(one.started.sampler, one.sequence)),
    ]));
  } catch (error) {
    // An old release may have another inspector, which says nothing about the other counts
    context.signal.throwIfAborted();
    throw new NotCounted(messageOf(error));
  }
}

/** A server that has answered the requests of a warm-up. */
interface Ready<S extends RunningServer> {
  readonly variant: Variant;
  readonly started: S;
  readonly sequence: Sequence;
}

/** Starts the servers of variants, verifies them in turn, and warms them up. `running` ends them. */
async function prepare<S extends RunningServer>(
  { signal, testbed }: RunContext,
  variants: readonly Variant[],
  scenario: Scenario,
  { launch, warmUp }: {
    readonly launch: (...args: Parameters<OpenTestbed["launch"]>) => Promise<S>;
    readonly warmUp: number;
  },
  running: AsyncDisposableStack,
): Promise<Ready<S>[]> {
  const launched = await startAll(launch, variants, running);
  const ready: Ready<S>[] = [];
  for (const one of launched) {
    const verify = () => verified(one.started.origin, scenario, testbed.facts, signal);
    const { talk } = await explained(one, verify);
    const open = opener({ ...talk, pipelined: 1 });
    const sequence = running.use(new Sequence(open, untilEnd([one.started], signal)));
    ready.push({ ...one, sequence });
  }
  await allOf(ready.map((one) => explained(one, () => one.sequence.warmUp(warmUp))));
  // A server may close an idle connection while the other one is counted
  for (const { sequence } of ready) sequence[Symbol.dispose]();
  return ready;
}
