/** Derives results from windows. Also derives the effect of more workers, and finds limiting generators. */
import type { BlockResult } from "../model/block.ts";
import type { Reason, Result, Scaling } from "../model/derived.ts";
import type { VariantRecord } from "../model/experiment.ts";
import {
  type FigureId,
  ofFigures,
  type RankingMetric,
  responsesOf,
  successesOf,
} from "../model/figures.ts";
import type { TrialResult, WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { isSpecial } from "../model/scenario.ts";
import { detectableShare, quantileIsKnown } from "../stats/confidence_interval.ts";
import { merge } from "../stats/histogram.ts";
import { estimateOf, sum, typical } from "../stats/median.ts";
import { type Cores, findBottleneck } from "./bottlenecks.ts";
import { compare } from "./comparisons.ts";
import { climbingOf, trend } from "./climbing.ts";
import { type DatabaseNeed, invalidity, statementsPerResponse } from "./invalidity.ts";
import { byResult, isSameResult, keyOf, resultKeyOf, workloadOf } from "./keys.ts";
import { slicesProblem } from "./slice_ratios.ts";

/** Facts about a run that its windows do not contain. */
export interface ResultContext {
  /** Number of cores that each component may use: all of the machine's, or those to which it is pinned. */
  readonly cores: Cores;
  /** Ids of the variants, in order. */
  readonly variants: readonly string[];
  /** Maximum number of threads by id of a load generator; only if fewer than the machine's cores. */
  readonly threads: ReadonlyMap<string, number>;
  /** Maximum number of threads that run at once by id of a variant; only if they take turns. */
  readonly turns: ReadonlyMap<string, number>;
  /** Database work of one response by id of a scenario, in the order of the scenarios. */
  readonly needs: ReadonlyMap<string, DatabaseNeed>;
  /** Id of the load generator that replaces one that would be the bottleneck; null if none does. */
  readonly fallback: string | null;
}

/**
 * Range of rate × mean latency / connections, which is 1 by Little's law in a closed loop. Outside of it,
 * the latencies contradict the rate and are not shown. In 60 windows of autocannon, stampede, wrk and
 * h2load next to other programs, it was 0.84 (wrk) to 1.012. Connections that are idle in the generator
 * lower it; only errors of measurement raise it above 1.
 */
const [MIN_LITTLE, MAX_LITTLE] = [0.75, 1.1];

/**
 * Returns the result of each variant at each workload, in the order of the context's lists. One with a wrong
 * response or too many failed requests is invalid, in a window or in the slices of `blocks`.
 */
export function deriveResults(
  trialResults: readonly TrialResult[],
  context: ResultContext,
  blocks: readonly BlockResult[] = [],
): Result[] {
  const { variants, needs } = context;
  const scenarios = [...needs.keys()];
  return byResult(trialResults, ({ trial }) => resultKeyOf(trial))
    .map((group) => resultOf(group, context, blocks))
    .sort((a, b) =>
      scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario) ||
      a.connections - b.connections || variants.indexOf(a.variant) - variants.indexOf(b.variant)
    );
}

/** Derives results from windows of any purpose as if they were measured. */
export function deriveAsMeasured(
  trialResults: readonly TrialResult[],
  context: ResultContext,
): Result[] {
  const measured = trialResults.map((one): TrialResult => ({
    ...one,
    trial: { ...one.trial, purpose: "measure" },
  }));
  return deriveResults(measured, context);
}

function resultOf(
  trialResults: readonly [TrialResult, ...TrialResult[]],
  { needs, cores, turns, threads, fallback }: ResultContext,
  blocks: readonly BlockResult[],
): Result {
  const key = resultKeyOf(trialResults[0].trial);
  const { variant, scenario, connections, perS } = key;
  const counted = trialResults.filter(({ trial }) => trial.purpose === "measure");
  // Scale trials do not count. A group with only scale trials shows them as progress.
  const measured = counted.length > 0 ? counted : trialResults;
  const windows = measured.flatMap(({ window }) => window ?? []);
  const total = (count: (window: WindowRecord) => number): number => sum(windows.map(count));
  const need = needs.get(scenario) ?? null;
  // A scale test with more connections may overload the server.
  const asked = trialResults.filter(({ trial }) => trial.load.connections === connections);
  const ofSlices = slicesProblem(blocks, key);
  const reason = invalidity(asked, need) ??
    (ofSlices?.status === "invalid" ? ofSlices.reason : null);
  const failures = measured.flatMap(({ failure }): Reason[] =>
    failure && failure.kind !== "verification" ? [{ kind: "message", text: failure.message }] : []
  );
  const status = reason !== null ? "invalid" : windows.length === 0 ? "failed" : "ok";
  const isOk = status === "ok";
  const { generator } = (measured[0] as TrialResult).trial;
  const own = {
    ...cores,
    server: Math.min(cores.server, turns.get(variant) ?? Infinity),
    generator: Math.min(cores.generator, threads.get(generator) ?? Infinity),
  };
  const bottleneck = isOk ? findBottleneck(trialResults, own, (need?.queries ?? 0) > 0) : null;
  // In an open loop, the generator limits the rate on purpose.
  const isLowerBound = perS === null &&
    (bottleneck?.kind === "generator" || bottleneck?.kind === "machine");
  const isOfWaves = trialResults[0].trial.load.responses !== null;
  const little = bottleneck?.evidence.little ?? 1;
  // With pipelining, Little's law shows only the number of pipelined requests.
  const agrees = (little >= MIN_LITTLE && little <= MAX_LITTLE) || (need?.pipelined ?? 1) > 1;
  const latencyAbsence: Reason | null = agrees
    ? null
    : { kind: "little-contradicts", little, connections };
  const hasLatencies = latencyAbsence === null;
  const figures = ofFigures(({ kind, ofWindow, isLatency = false }) => {
    if (ofWindow === undefined || (isLatency && !hasLatencies)) return null;
    const figure = ({ window }: TrialResult): number | null => window && ofWindow(window);
    if (kind !== "estimate") return typical(measured, figure);
    return isOk ? estimateOf(measured, ({ trial }) => trial.round, figure) : null;
  }) as Pick<Result, FigureId>;
  const cpuUs = figures.serverCpuUs?.median ?? 0;
  return {
    ...key,
    status,
    reason: reason ?? failures[0] ?? null,
    rounds: windows.length,
    failedRounds: failures.length,
    ...figures,
    capacityPerCore: isLowerBound && cpuUs > 0 ? 1e6 / cpuUs : null,
    statementsPerResponse: statementsPerResponse(windows, need ?? {}),
    // A special scenario has this generator anyway
    isTakenOver: generator === fallback && !isSpecial(need ?? {}),
    isLowerBound,
    latencyAbsence,
    kinds: isOk ? kindsOf(windows, hasLatencies) : [],
    probe: probeOf(windows),
    probeAbsence: windows.find(({ probe }) => probe.absence !== null)?.probe.absence ?? null,
    climbing: isOk && !isOfWaves ? climbingOf(windows) : null,
    // A window of whole cycles begins with responses and ends with a pause.
    trend: isOfWaves ? null : typical(windows, trend),
    bottleneck,
    rank: null,
    responses: total(({ measurement }) => responsesOf(measurement)),
    checkedBodies: total(({ measurement }) => measurement.checkedBodies),
    errors: {
      transport: total(({ measurement }) => measurement.transportErrors),
      timeout: windows.some(({ measurement }) => measurement.timeouts === null)
        ? null
        : total(({ measurement }) => measurement.timeouts ?? 0),
      non2xx: total(({ measurement }) => responsesOf(measurement) - successesOf(measurement)),
      probe: total(({ probe }) => probe.errors),
    },
  };
}

function kindsOf(windows: readonly WindowRecord[], hasLatencies: boolean): Result["kinds"] {
  return (windows[0]?.measurement.kinds ?? []).map(({ scenario }, i) => {
    const kinds = windows.flatMap(({ measurement: { kinds, durationS } }) => {
      const kind = kinds[i];
      return kind === undefined ? [] : [{ ...kind, durationS }];
    });
    return {
      scenario,
      requestsPerS: typical(kinds, ({ responses, durationS }) => responses / durationS) ?? 0,
      p50Us: hasLatencies ? typical(kinds, ({ latency }) => latency?.p50Us ?? null) : null,
      p99Us: hasLatencies ? typical(kinds, ({ latency }) => latency?.p99Us ?? null) : null,
    };
  });
}

function probeOf(windows: readonly WindowRecord[]): Result["probe"] {
  const records = windows.map(({ probe }) => probe).filter(({ responses }) => responses > 0);
  const latency = merge(records.map((record) => record.latency));
  if (latency === null || latency.p50Us === null) return null;
  const responses = sum(records.map((record) => record.responses));
  return {
    responses,
    perS: responses / sum(records.map(({ durationS }) => durationS)),
    p50Us: latency.p50Us,
    p99Us: quantileIsKnown(latency.count, 0.99) ? latency.p99Us : null,
    sendLatenessP99Us: typical(records, ({ sendLatenessP99Us }) => sendLatenessP99Us),
    detects: detectableShare(responses),
  };
}

/** Returns the effect of more workers for each server at each workload, the fewest workers first. */
export function deriveScaling(
  measured: Pick<Report, "trialResults" | "blocks">,
  results: readonly Result[],
  variants: readonly VariantRecord[],
  { cores, needs }: ResultContext,
): Scaling[] {
  const workersOf = ({ env }: VariantRecord): number => Number(env.WORKERS ?? 1);
  const sorted = variants.toSorted((a, b) => workersOf(a) - workersOf(b));
  const known = results.filter(({ status }) => status === "ok");
  return known.flatMap((result): Scaling[] => {
    const variant = variants.find(({ id }) => id === result.variant);
    const base = sorted.find(({ id, server }) =>
      server === variant?.server &&
      known.some((one) => isSameResult(one, { ...result, variant: id }))
    );
    if (variant === undefined || base === undefined) return [];
    const [workers, baseWorkers] = [workersOf(variant), workersOf(base)];
    const comparedBy = (metric: RankingMetric): Scaling["rate"] =>
      variant === base
        ? null
        : compare(measured, { ...workloadOf(result), a: variant.id, b: base.id, metric });
    const rate = comparedBy("requestsPerS");
    // Each worker, the load generator and a database may keep one core busy.
    const busy = workers + 1 + ((needs.get(result.scenario)?.queries ?? 0) > 0 ? 1 : 0);
    const isApart = cores.server < (cores.machine ?? Infinity) && cores.server >= workers;
    return [{
      ...keyOf(result),
      server: variant.server,
      workers,
      baseWorkers,
      rate,
      cpu: comparedBy("serverCpuUs"),
      efficiency: rate === null ? null : rate.ratio * baseWorkers / workers,
      isShared: !isApart && cores.server < busy,
    }];
  }).sort((a, b) => a.workers - b.workers);
}

/**
 * Ratio of the time that the generator's busiest thread runs to that of the busiest thread of server and
 * database, from which on the generator would be the bottleneck. Other programs do not change it. With the
 * suite's scenarios it was 1.03 to 1.34 if autocannon was the bottleneck, and at most 0.5 otherwise.
 */
const LIMITING = 0.9;
/** Minimum share of time that the busiest thread of a limiting generator runs or waits. */
const BUSY = 0.5;

/** Returns the scenarios for which pilot windows show the load generator as the bottleneck. */
export function limitedByGenerator(
  pilots: readonly TrialResult[],
  context: ResultContext,
): Set<string> {
  const limited = deriveAsMeasured(pilots, context).filter(isLimitedByGenerator);
  return new Set(limited.map(({ scenario }) => scenario));
}

function isLimitedByGenerator({ bottleneck }: Result): boolean {
  if (bottleneck === null) return false;
  const { generator, server, database } = bottleneck.evidence;
  const [own, other] = [generator?.busiestThread ?? null, server?.busiestThread ?? null];
  if (own === null || other === null) {
    return bottleneck.kind === "generator" || bottleneck.needsScaleTest === "shards";
  }
  return own + (generator?.runQueueWait ?? 0) >= BUSY &&
    own >= LIMITING * Math.max(other, database?.busiestThread ?? 0);
}
