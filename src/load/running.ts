import { Failure } from "../model/errors.ts";
import type { Load } from "../model/experiment.ts";
import type { Measurement, OpenRecord, Warmup } from "../model/raw.ts";
import type { ProcessScope } from "../process/scope.ts";
import { sharedNow } from "../process/shared_clock.ts";
import { merge as mergeLatencies } from "../stats/histogram.ts";
import { STEADY_GROWTH } from "../stats/plateau.ts";
import type { LoadGenerator, LoadJob, WindowJob, WindowListener } from "./generator.ts";
import { deadlineS, Shard } from "./shard.ts";
import { type Timeouts, timeouts } from "./timeouts.ts";
import { LEAST_REQUESTS, MOST_WARMUP_FACTOR } from "./warming.ts";

/**
 * Returns the measurements of several shards in the same window as one.
 *
 * Counts and histograms are added; percentiles are never averaged. The windows differ by a few
 * milliseconds: the duration is their mean.
 *
 * @throws {RangeError} if `parts` is empty.
 */
export function mergeMeasurements(parts: readonly Measurement[]): Measurement {
  const [first] = parts;
  if (first === undefined) throw new RangeError("Cannot merge no measurements");
  if (parts.length === 1) return first;
  const sum = (value: (part: Measurement) => number): number =>
    parts.reduce((total, part) => total + value(part), 0);
  const known = (values: readonly (number | null)[]): number | null =>
    values.every((value) => value !== null)
      ? values.reduce((total, value) => total + value, 0)
      : null;
  const slices = Math.min(...parts.map(({ slicesPerS }) => slicesPerS.length));
  return {
    durationS: sum(({ durationS }) => durationS) / parts.length,
    statuses: addCounts(parts.map(({ statuses }) => statuses)),
    allResponses: sum(({ allResponses }) => allResponses),
    transportErrors: sum(({ transportErrors }) => transportErrors),
    timeouts: known(parts.map(({ timeouts }) => timeouts)),
    checkedBodies: sum(({ checkedBodies }) => checkedBodies),
    wrongResponses: sum(({ wrongResponses }) => wrongResponses),
    wrongResponse: parts.find(({ wrongResponse }) => wrongResponse !== null)?.wrongResponse ?? null,
    bytes: known(parts.map(({ bytes }) => bytes)),
    connectionsOpened: known(parts.map(({ connectionsOpened }) => connectionsOpened)),
    slicesPerS: Array.from({ length: slices }, (_, i) => sum((part) => part.slicesPerS[i] ?? 0)),
    latency: mergeLatencies(parts.map(({ latency }) => latency)),
    kinds: first.kinds.map(({ scenario }, i) => ({
      scenario,
      responses: sum(({ kinds }) => kinds[i]?.responses ?? 0),
      latency: mergeLatencies(parts.map(({ kinds }) => kinds[i]?.latency ?? null)),
    })),
    open: mergeOpen(parts.map(({ open }) => open).filter((open) => open !== null)),
    warmup: mergeWarmups(parts.map(({ warmup }) => warmup)),
  };
}

function mergeOpen(parts: readonly OpenRecord[]): OpenRecord | null {
  if (parts.length === 0) return null;
  const sum = (value: (part: OpenRecord) => number): number =>
    parts.reduce((total, part) => total + value(part), 0);
  return {
    offered: sum(({ offered }) => offered),
    sent: sum(({ sent }) => sent),
    failed: sum(({ failed }) => failed),
    unanswered: sum(({ unanswered }) => unanswered),
    shed: sum(({ shed }) => shed),
    recoveryS: Math.max(...parts.map(({ recoveryS }) => recoveryS)),
    responseTime: mergeLatencies(parts.map(({ responseTime }) => responseTime)),
    lateness: mergeLatencies(parts.map(({ lateness }) => lateness)),
    wait: mergeLatencies(parts.map(({ wait }) => wait)),
    serviceTime: mergeLatencies(parts.map(({ serviceTime }) => serviceTime)),
  };
}

/** Returns a warm-up that is steady if all are, with the longest time and the sum of the requests. */
function mergeWarmups(parts: readonly (Warmup | null)[]): Warmup | null {
  const known = parts.filter((warmup) => warmup !== null);
  if (known.length === 0) return null;
  const states = known.map(({ isSteady }) => isSteady);
  return {
    tookS: Math.max(...known.map(({ tookS }) => tookS)),
    requests: known.reduce((sum, { requests }) => sum + requests, 0),
    isSteady: states.includes(false) ? false : states.includes(null) ? null : true,
  };
}

function addCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [key, count] of all.flatMap(Object.entries)) total[key] = (total[key] ?? 0) + count;
  return total;
}

/**
 * Error message if the windows of two shards do not overlap, because their counts cannot be added
 * then. A process may start a second late on an overloaded machine.
 */
const APART =
  "One shard's window closed before another shard's window had opened: use a longer window or fewer shards";

/**
 * Shortest part of a warm-up for which a rate is measured, in seconds. The rate over a shorter time
 * is too noisy, and shards do not start at the same moment.
 */
const SHORTEST_S = 0.5;

/** A running load generator: its processes share the connections of the load. */
export class RunningGenerator implements AsyncDisposable {
  readonly #generator: LoadGenerator;
  readonly #timeouts: Timeouts;
  readonly #newShard: () => Shard<LoadJob, Measurement>;
  readonly #shards: Shard<LoadJob, Measurement>[] = [];

  /** @param cpus processors that it may use; null: all */
  constructor(
    scope: ProcessScope,
    generator: LoadGenerator,
    cpus: readonly number[] | null = null,
    given: Timeouts = timeouts(),
  ) {
    this.#generator = generator;
    this.#timeouts = given;
    this.#newShard = () => new Shard(scope, generator, cpus);
  }

  /**
   * Measures one window. The window opens when every shard has opened it, and closes when the first
   * shard closes it.
   *
   * @param abort ends the window and the generator early
   * @throws {Failure} if a shard ends, hangs, or sends an unreadable reply, or if the shards' windows
   *   do not overlap.
   * @throws the reason of `abort` if that signal is aborted.
   */
  async measure(
    job: WindowJob,
    abort: AbortSignal,
    listener: Partial<WindowListener> = {},
  ): Promise<Measurement> {
    abort.throwIfAborted();
    if (this.#endsWarmup(job.load)) return await this.#window(job, abort, listener);
    const warmup = await this.#warmUp(job, abort);
    // A separate program opens new connections for the window anyway. Shards open theirs during the
    // warm-up.
    const warmupS = this.#generator.threads === "process" ? job.load.warmupS : 0;
    const load = { ...job.load, warmupS, mostWarmupS: warmupS };
    const measurement = await this.#window({ ...job, load }, abort, listener);
    return { ...measurement, allResponses: measurement.allResponses + warmup.requests, warmup };
  }

  /**
   * Returns whether the load generator ends the warm-up itself, as part of the window's job. It can if it is
   * a single process, which sees the whole rate, or if the length is fixed.
   */
  #endsWarmup({ connections, shards, responses, open, warmupS, mostWarmupS }: Load): boolean {
    const isAlone = this.#generator.threads === "process" && Math.min(shards, connections) === 1;
    return isAlone || responses !== null || open !== null || mostWarmupS <= warmupS;
  }

  /**
   * Warms up in parts that do not count, until one part is hardly faster than the one before or the
   * time is over.
   */
  async #warmUp(job: WindowJob, abort: AbortSignal): Promise<Warmup> {
    const { warmupS, mostWarmupS } = job.load;
    const fixed = { warmupS: 0, mostWarmupS: 0, durationS: Math.max(SHORTEST_S, warmupS) };
    let [tookS, requests, isSteady] = [0, 0, false];
    let lastPerS = NaN;
    while (!isSteady && (isNaN(lastPerS) || tookS < mostWarmupS)) {
      const load = { ...job.load, ...fixed };
      const { durationS, allResponses } = await this.#window({ ...job, load }, abort, {});
      const perS = allResponses / durationS;
      tookS += durationS;
      requests += allResponses;
      const hasEnough = requests >= LEAST_REQUESTS || tookS >= MOST_WARMUP_FACTOR * warmupS;
      isSteady = hasEnough && perS <= lastPerS * (1 + STEADY_GROWTH);
      lastPerS = perS;
    }
    return { tookS: Math.round(1000 * tookS) / 1000, requests, isSteady };
  }

  async #window(
    job: WindowJob,
    abort: AbortSignal,
    listener: Partial<WindowListener>,
  ): Promise<Measurement> {
    const { threads } = this.#generator;
    const parts = threads === "process" ? split(job) : [job.load];
    while (this.#shards.length < parts.length) this.#shards.push(this.#newShard());
    const shards = this.#shards.slice(0, parts.length);
    const isFresh = threads === "process" && shards.some((shard) => shard.isFresh);
    const { freshWarmupS } = this.#timeouts;
    const warmupS = isFresh ? Math.max(freshWarmupS, job.load.warmupS) : job.load.warmupS;
    const mostWarmupS = Math.max(warmupS, job.load.mostWarmupS);
    listener.starting?.(shards.map(({ pid }) => pid));
    const opensAtMs = sharedNow() + 1000 * warmupS;
    const jobs = parts.map((load) => ({
      ...job,
      load: { ...load, warmupS, mostWarmupS },
      opensAtMs,
    }));
    const failed = new AbortController();
    let [opened, closed] = [0, 0];
    const events = {
      opened: () => {
        if (++opened === jobs.length && !failed.signal.aborted) listener.opened?.();
      },
      closed: () => {
        if (opened < jobs.length) failed.abort(new Failure(APART));
        else if (closed++ === 0) listener.closed?.();
      },
    };
    const signal = AbortSignal.any([abort, failed.signal]);
    const measurements = shards.map((shard, i) => {
      const job = jobs[i] as LoadJob;
      const limitS = this.#timeouts.limitS ?? deadlineS(job.load);
      return shard.measure(job, { limitS, abort: signal, listener: events }).catch((error) => {
        failed.abort(error); // no shard continues without the others, and the first cause is reported
        throw signal.reason;
      });
    });
    await Promise.allSettled(measurements);
    return mergeMeasurements(await Promise.all(measurements));
  }

  /** Ends every process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard[Symbol.asyncDispose]()));
  }
}

/**
 * Splits a load between shards. Two loads cannot be split: a load on one connection, and a window
 * that ends after a number of responses. Poisson processes with different seeds add up to one
 * Poisson process.
 */
function split({ load }: WindowJob): Load[] {
  const { connections, shards, responses } = load;
  const count = responses === null ? Math.min(shards, connections) : 1;
  return Array.from({ length: count }, (_, i) => {
    const share = Math.floor(connections / count) + (i < connections % count ? 1 : 0);
    const { open } = load;
    const part = open && { ...open, perS: open.perS / count, seed: open.seed + i };
    return { ...load, connections: share, shards: 1, open: part };
  });
}
