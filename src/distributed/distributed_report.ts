/** Adds the counts of runners in any order and grouping, and reports the sums. */
import type {
  BucketTime,
  DistributedScenario,
  LeftOut,
  MergedChange,
  RunnerScenario,
  RunnerTally,
  SloCheck,
} from "../model/distributed.ts";
import { UsageError } from "../model/errors.ts";
import type { Slo } from "../model/experiment.ts";
import { type DistributedReport, FORMAT } from "../model/report.ts";
import { quantileIsKnown } from "../stats/confidence_interval.ts";
import {
  addBuckets,
  BUCKET_ERROR,
  bucketAt,
  type Buckets,
  rangeOf,
  totalOf,
} from "../stats/histogram.ts";
import { sum } from "../stats/median.ts";
import { COUNTS, type Counts, type Runner, sentOf } from "./runner_file.ts";
import { bySegment, coverage } from "./segments.ts";

/** Runners of one load, in the order of their segments. */
export type Runners = readonly [Runner, ...Runner[]];

/** Merges runners that shared a load into a report; `slo` is for all of them together. */
export function distributedReport(
  runners: Runners,
  origin: Pick<DistributedReport, "id" | "program" | "command" | "versions">,
  slo: Slo = runners[0].slo,
  leftOut: readonly LeftOut[] = [],
): DistributedReport {
  const targets = new Set(runners.map(({ target }) => target.replace(/^https?:\/\//, "")));
  const [createdAt = ""] = runners.map(({ startedAt }) => startedAt).sort();
  const endedAt = runners.map(({ endedAt }) => endedAt).sort().at(-1) ?? "";
  const { missing } = coverage(runners.map(({ segment }) => segment));
  const parts = runners.flatMap(({ name, segment, scenarios }): Part[] =>
    scenarios.map((part) => ({ ...part, name, segment }))
  );
  return {
    schemaVersion: FORMAT,
    kind: "distributed",
    ...origin,
    createdAt,
    complete: missing.length === 0 && leftOut.length === 0,
    tookS: Math.max(0, Date.parse(endedAt) - Date.parse(createdAt)) / 1000,
    server: [...targets].sort().join(", "),
    test: runners[0].test,
    users: runners[0].users,
    runners: runners.length,
    missing,
    leftOut,
    slo,
    bucketError: BUCKET_ERROR,
    scenarios: [...Map.groupBy(parts, ({ id }) => id).values()]
      .map((all) => scenarioOf(all, slo, missing.length === 0)),
  };
}

/** One runner's part of a scenario. */
type Part = RunnerScenario & Pick<Runner, "name" | "segment">;

function scenarioOf(parts: readonly Part[], slo: Slo, isWhole: boolean): DistributedScenario {
  const [{ id: scenario, perS }] = parts as [Part];
  const counts = Object.fromEntries(
    COUNTS.map((name) => [name, sum(parts.map((part) => part[name]))]),
  ) as Counts;
  const buckets = addBuckets(parts.map(({ buckets }) => buckets));
  const durationS = Math.max(...parts.map(({ durationS }) => durationS));
  const sent = sentOf(counts);
  const offered = sent + counts.dropped;
  const tallies = parts.map(({ name, segment, right, dropped, buckets, ...part }): RunnerTally => {
    const own = sentOf({ right, dropped, ...part }) + dropped;
    return {
      runner: name,
      segment,
      share: offered === 0 ? 0 : own / offered,
      offered: own,
      dropped,
      right,
      p50: timeAt(buckets, 0.5),
      p99: timeAt(buckets, 0.99),
    };
  });
  const sloChecks = judge(buckets, offered, counts.right, slo);
  return {
    scenario,
    perS,
    durationS,
    offered,
    sent,
    ...counts,
    goodputPerS: counts.right / durationS,
    buckets,
    p50: timeAt(buckets, 0.5),
    p90: timeAt(buckets, 0.9),
    p99: timeAt(buckets, 0.99),
    p999: timeAt(buckets, 0.999),
    // The missing part may be better or worse than the rest
    sloChecks: isWhole ? sloChecks : sloChecks.map((check) => ({ ...check, isMet: null })),
    runners: tallies,
    worst: worstOf(tallies),
  };
}

function worstOf(runners: readonly RunnerTally[]): string | null {
  const rightShare = ({ offered, right }: RunnerTally): number =>
    offered === 0 ? 1 : right / offered;
  const [worst, second] = runners.toSorted((a, b) =>
    (b.p99?.us ?? 0) - (a.p99?.us ?? 0) || rightShare(a) - rightShare(b)
  );
  return worst && second ? worst.runner : null;
}

/** Returns the bucket of a percentile; null if there are too few responses to know it. */
function timeAt(buckets: Buckets, p: number): BucketTime | null {
  const index = quantileIsKnown(totalOf(buckets), p) ? bucketAt(buckets, p) : null;
  return index === null ? null : rangeOf(index);
}

function judge(buckets: Buckets, offered: number, right: number, slo: Slo): SloCheck[] {
  const { latencies, errorShare } = slo;
  const latencyChecks = latencies.map(({ percentile, us: limit }): SloCheck => {
    const time = timeAt(buckets, percentile);
    if (time === null) return { percentile, limit, found: null, isMet: null };
    const { us: found, lowUs, highUs } = time;
    const isMet = highUs !== null && highUs <= limit ? true : lowUs >= limit ? false : null;
    return { percentile, limit, found, isMet };
  });
  if (errorShare === null) return latencyChecks;
  const found = offered === 0 ? null : 1 - right / offered;
  const isMet = found === null ? null : found < errorShare;
  return [...latencyChecks, { percentile: null, limit: errorShare, found, isMet }];
}

/** Returns whether a merged load meets its SLO; null if no limit is missed, and one is unknown. */
export function meetsSlo({ scenarios }: DistributedReport): boolean | null {
  const outcomes = scenarios.flatMap(({ sloChecks }) => sloChecks.map(({ isMet }) => isMet));
  if (outcomes.includes(false)) return false;
  return outcomes.includes(null) ? null : true;
}

/** Returns the changes between two merged loads in all scenarios that both have. */
export function changesOfMerged(base: DistributedReport, head: DistributedReport): MergedChange[] {
  return head.scenarios.flatMap((after) => {
    const before = base.scenarios.find(({ scenario }) => scenario === after.scenario);
    if (before === undefined) return [];
    return (["goodputPerS", "p50", "p90", "p99", "p999"] as const).flatMap((figure) => {
      const [base, head] = [spanOf(before[figure]), spanOf(after[figure])];
      if (base === null || head === null || base.low === 0) return [];
      const ratio = {
        low: base.high === null ? 0 : head.low / base.high,
        value: head.value / base.value,
        high: head.high === null ? null : head.high / base.low,
      };
      return { scenario: after.scenario, figure, base: base.value, head: head.value, ratio };
    });
  });
}

function spanOf(figure: number | BucketTime | null): MergedChange["ratio"] | null {
  if (typeof figure === "number") return { low: figure, value: figure, high: figure };
  return figure && { low: figure.lowUs, value: figure.us, high: figure.highUs };
}

/** Merges two groups of runners; throws UsageError unless they shared one load at the same time. */
export function merge(a: Runners, b: Runners): Runners {
  const nameOf = ([first, ...others]: Runners): string =>
    `${first.name}${others.length > 0 ? ` (with ${others.length} more)` : ""}`;
  const refuse = (why: string): UsageError =>
    new UsageError(`Cannot merge ${nameOf(a)} and ${nameOf(b)}: ${why}`);
  if (a[0].test !== b[0].test) throw refuse("they belong to different loads");
  const runners = [...a, ...b].sort((one, other) => bySegment(one.segment, other.segment));
  const { twice } = coverage(runners.map(({ segment }) => segment));
  if (twice.length > 0) throw refuse(`${twice.join(", ")} of the load would count twice`);
  const latestStart = Math.max(...runners.map(({ startedAt }) => Date.parse(startedAt)));
  const earliestEnd = Math.min(...runners.map(({ endedAt }) => Date.parse(endedAt)));
  if (latestStart > earliestEnd) throw refuse("they did not run at the same time");
  return runners as [Runner, ...Runner[]];
}
