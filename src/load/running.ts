/** Load generators in use. */
import { Failure } from "../model/errors.ts";
import type { Load } from "../model/experiment.ts";
import type { Measurement, OpenRecord, Warmup } from "../model/raw.ts";
import type { ProcessScope } from "../process/scope.ts";
import { sharedNow } from "../process/shared_clock.ts";
import { tlsInUse } from "../process/tls_client.ts";
import { merge } from "../stats/histogram.ts";
import { mean, sum } from "../stats/median.ts";
import { STEADY_GROWTH } from "../stats/plateau.ts";
import type { LoadGenerator, LoadJob, WindowJob, WindowListener } from "./generator.ts";
import { Shard, timeouts } from "./shard.ts";
import { isLongEnough, warmupRecord } from "./warming.ts";

/** Seconds that a window may take longer than its load before the generator counts as hung. */
const SLACK_S = 10;
/** Error if a process starts so late, on an overloaded machine, that windows do not overlap. */
const APART =
  "One shard's window closed before another shard's window had opened: use a longer window or fewer shards";
/** Shortest part of a warm-up, in seconds: shards start apart, and shorter rates are too noisy. */
const SHORTEST_S = 0.5;

type Timeouts = Pick<ReturnType<typeof timeouts>, "freshWarmupS" | "limitS">;

/** A running load generator: its shards share the connections, and their results are merged. */
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
   * Measures one window. It opens when every shard has opened it, and closes when the first closes
   * it. Throws as {@linkcode Shard.measure} does, and a {@link Failure} if windows do not overlap.
   */
  async measure(
    given: WindowJob,
    abort: AbortSignal,
    listener: Partial<WindowListener> = {},
  ): Promise<Measurement> {
    abort.throwIfAborted();
    const job = { ...given, load: this.#longEnough(given.load) };
    const { connections, shards, responses, open, warmupS: leastS, mostWarmupS } = job.load;
    // A single process sees the whole rate, so it can end the warm-up itself, as part of its job
    const isAlone = this.#generator.isBuiltIn && Math.min(shards, connections) === 1;
    const isFixed = responses !== null || open !== null || mostWarmupS <= leastS;
    if (isAlone || isFixed) return await this.#window(job, abort, listener);
    const warmup = await this.#warmUp(job, abort);
    // A separate program opens new connections for the window anyway. Shards open theirs during the
    // warm-up.
    const warmupS = this.#generator.isBuiltIn ? leastS : 0;
    const load = { ...job.load, warmupS, mostWarmupS: warmupS };
    const measurement = await this.#window({ ...job, load }, abort, listener);
    return { ...measurement, allResponses: measurement.allResponses + warmup.requests, warmup };
  }

  /** Returns how many seconds a load lasts at least, with the protocol in use. */
  shortestS(connections: number): number {
    return tlsInUse() === null ? 0 : this.#generator.shortestOverTlsS?.(connections) ?? 0;
  }

  /** Returns a load with a warm-up, if it has one, that is long enough for the generator. */
  #longEnough(load: Load): Load {
    if (load.warmupS === 0) return load;
    const warmupS = Math.max(load.warmupS, this.shortestS(load.connections));
    return { ...load, warmupS, mostWarmupS: Math.max(load.mostWarmupS, warmupS) };
  }

  /** Warms up in parts that do not count, until one is hardly faster than the last. */
  async #warmUp(job: WindowJob, abort: AbortSignal): Promise<Warmup> {
    const { warmupS, mostWarmupS } = job.load;
    const durationS = Math.max(SHORTEST_S, warmupS);
    const load = { ...job.load, warmupS: 0, mostWarmupS: 0, durationS };
    let [seconds, requests, isSteady, lastPerS] = [0, 0, false, NaN];
    do {
      const part = await this.#window({ ...job, load }, abort, {});
      const perS = part.allResponses / part.durationS;
      seconds += part.durationS;
      requests += part.allResponses;
      isSteady = isLongEnough({ seconds, requests }, warmupS) &&
        perS <= lastPerS * (1 + STEADY_GROWTH);
      lastPerS = perS;
    } while (!isSteady && seconds < mostWarmupS);
    return warmupRecord({ seconds, requests }, isSteady);
  }

  async #window(
    job: WindowJob,
    abort: AbortSignal,
    listener: Partial<WindowListener>,
  ): Promise<Measurement> {
    const { isBuiltIn } = this.#generator;
    const parts = isBuiltIn ? split(job.load) : [job.load];
    while (this.#shards.length < parts.length) this.#shards.push(this.#newShard());
    const shards = this.#shards.slice(0, parts.length);
    const isFresh = isBuiltIn && shards.some((shard) => shard.isFresh);
    const warmupS = Math.max(isFresh ? this.#timeouts.freshWarmupS : 0, job.load.warmupS);
    const mostWarmupS = Math.max(warmupS, job.load.mostWarmupS);
    listener.starting?.(shards.map(({ pid }) => pid));
    const opensAtMs = sharedNow() + 1000 * warmupS;
    const failed = new AbortController();
    let [opened, closed] = [0, 0];
    const events = {
      opened: () => {
        if (++opened === parts.length && !failed.signal.aborted) listener.opened?.();
      },
      closed: () => {
        if (opened < parts.length) failed.abort(new Failure(APART));
        else if (closed++ === 0) listener.closed?.();
      },
    };
    const signal = AbortSignal.any([abort, failed.signal]);
    const measurements = shards.map((shard, i) => {
      const load = { ...parts[i] as Load, warmupS, mostWarmupS };
      const limitS = this.#timeouts.limitS ?? deadlineS(load);
      const options = { limitS, abort: signal, listener: events };
      return shard.measure({ ...job, load, opensAtMs }, options).catch((error) => {
        failed.abort(error); // no shard continues without the others, and the first cause is reported
        throw signal.reason;
      });
    });
    await Promise.allSettled(measurements);
    return mergeMeasurements(await Promise.all(measurements));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard[Symbol.asyncDispose]()));
  }
}

/**
 * Returns the time limit of a window with its warm-up, in seconds: three times its planned length
 * and one timeout, or the timeout for each response of a connection. autocannon and `stampede`
 * close a window of many responses earlier (window_run.ts).
 */
export function deadlineS(
  { mostWarmupS, durationS, timeoutS, responses, connections }: Load,
): number {
  const usual = 3 * durationS + timeoutS;
  const slowest = timeoutS * Math.ceil((responses ?? 0) / connections);
  return mostWarmupS + Math.max(usual, slowest) + SLACK_S;
}

/** Splits a load between shards, unless its window ends by responses. Poisson processes add up to one. */
function split(load: Load): Load[] {
  const { connections, shards, responses, open } = load;
  const count = responses === null ? Math.min(shards, connections) : 1;
  return Array.from({ length: count }, (_, i) => ({
    ...load,
    connections: Math.floor(connections / count) + (i < connections % count ? 1 : 0),
    shards: 1,
    open: open && { ...open, perS: open.perS / count, seed: open.seed + i },
  }));
}

/**
 * Returns the measurements of several shards in the same window as one. Counts and histograms are
 * added, percentiles never averaged. The windows differ by milliseconds: the duration is their mean.
 *
 * @throws {RangeError} if `parts` is empty.
 */
export function mergeMeasurements(parts: readonly Measurement[]): Measurement {
  const [first] = parts;
  if (first === undefined) throw new RangeError("Cannot merge no measurements");
  if (parts.length === 1) return first;
  const [shortest = []] = parts.map(({ slicesPerS }) => slicesPerS)
    .toSorted((a, b) => a.length - b.length);
  const open = parts.map(({ open }) => open).filter((open) => open !== null);
  return {
    durationS: mean(parts.map(({ durationS }) => durationS)),
    statuses: addCounts(parts.map(({ statuses }) => statuses)),
    ...sums(parts, "allResponses", "transportErrors", "timeouts"),
    ...sums(parts, "checkedBodies", "wrongResponses", "bytes", "connectionsOpened"),
    wrongResponse: parts.find(({ wrongResponse }) => wrongResponse !== null)?.wrongResponse ?? null,
    slicesPerS: shortest.map((_, i) => sum(parts.map(({ slicesPerS }) => slicesPerS[i] ?? 0))),
    latency: merge(parts.map(({ latency }) => latency)),
    kinds: first.kinds.map(({ scenario }, i) => ({
      scenario,
      responses: sum(parts.map(({ kinds }) => kinds[i]?.responses ?? 0)),
      latency: merge(parts.map(({ kinds }) => kinds[i]?.latency ?? null)),
    })),
    open: open.length === 0 ? null : mergeOpen(open),
    warmup: first.warmup && {
      tookS: Math.max(...parts.map(({ warmup }) => warmup?.tookS ?? 0)),
      requests: sum(parts.map(({ warmup }) => warmup?.requests ?? 0)),
      isSteady: null, // only a single shard extends its warm-up itself
    },
  };
}

function mergeOpen(parts: readonly OpenRecord[]): OpenRecord {
  return {
    ...sums(parts, "offered", "sent", "failed", "unanswered", "shed"),
    recoveryS: Math.max(...parts.map(({ recoveryS }) => recoveryS)),
    responseTime: merge(parts.map(({ responseTime }) => responseTime)),
    lateness: merge(parts.map(({ lateness }) => lateness)),
    wait: merge(parts.map(({ wait }) => wait)),
    serviceTime: merge(parts.map(({ serviceTime }) => serviceTime)),
  };
}

function addCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [key, count] of all.flatMap(Object.entries)) total[key] = (total[key] ?? 0) + count;
  return total;
}

/** Adds the members with these names. A sum is null if one of its values is unknown. */
function sums<Key extends string, Part extends Readonly<Record<Key, number | null>>>(
  parts: readonly Part[],
  ...keys: readonly Key[]
): Pick<Part, Key> {
  return Object.fromEntries(keys.map((key) => {
    const values: (number | null)[] = parts.map((part) => part[key]);
    return [key, values.every((value) => value !== null) ? sum(values) : null];
  })) as Pick<Part, Key>;
}
