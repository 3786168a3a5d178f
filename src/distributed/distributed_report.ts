import type {
  BucketTime,
  DistributedScenario,
  LeftOut,
  MergedChange,
  RunnerScenario,
  RunnerTally,
  SloCheck,
} from "../model/distributed.ts";
import type { Slo } from "../model/experiment.ts";
import { type DistributedReport, FORMAT } from "../model/report.ts";
import { quantileIsKnown } from "../stats/confidence_interval.ts";
import { BUCKET_ERROR, bucketAt, type Buckets, rangeOf, totalOf } from "../stats/histogram.ts";
import { coverage, type Runners, totalAt } from "./runners.ts";

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
  const ids = new Set(runners.flatMap(({ scenarios }) => scenarios.map(({ id }) => id)));
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
    scenarios: [...ids].map((id) => scenarioOf(runners, id, slo)),
  };
}

function scenarioOf(all: Runners, id: string, slo: Slo): DistributedScenario {
  const { id: scenario, perS, durationS, buckets, ...counts } = totalAt(all, id);
  const { right, refused, wrong, failed, dropped } = counts;
  const sent = right + refused + wrong + failed;
  const offered = sent + dropped;
  const runners = all.flatMap(({ name, segment, scenarios }) =>
    scenarios.filter((part) => part.id === id).map((part) => tallyOf(part, name, segment, offered))
  );
  return {
    scenario,
    perS,
    durationS,
    offered,
    sent,
    ...counts,
    goodputPerS: right / durationS,
    buckets,
    p50: timeAt(buckets, 0.5),
    p90: timeAt(buckets, 0.9),
    p99: timeAt(buckets, 0.99),
    p999: timeAt(buckets, 0.999),
    sloChecks: judge(buckets, offered, right, slo),
    runners,
    worst: worstOf(runners),
  };
}

function tallyOf(part: RunnerScenario, runner: string, segment: string, all: number): RunnerTally {
  const { right, refused, wrong, failed, dropped, buckets } = part;
  const offered = right + refused + wrong + failed + dropped;
  return {
    runner,
    segment,
    share: all === 0 ? 0 : offered / all,
    offered,
    dropped,
    right,
    p50: timeAt(buckets, 0.5),
    p99: timeAt(buckets, 0.99),
  };
}

function worstOf(runners: readonly RunnerTally[]): string | null {
  if (runners.length < 2) return null;
  const rightShare = ({ offered, right }: RunnerTally): number =>
    offered === 0 ? 1 : right / offered;
  const sorted = runners.toSorted((a, b) =>
    (b.p99?.us ?? 0) - (a.p99?.us ?? 0) || rightShare(a) - rightShare(b)
  );
  return sorted[0]?.runner ?? null;
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

/** Returns whether every limit of the SLO is known to be met. */
export function isMet({ scenarios }: DistributedReport): boolean {
  return scenarios.every(({ sloChecks }) => sloChecks.every(({ isMet }) => isMet === true));
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

function spanOf(
  figure: number | BucketTime | null,
): { readonly low: number; readonly value: number; readonly high: number | null } | null {
  if (figure === null) return null;
  if (typeof figure === "number") return { low: figure, value: figure, high: figure };
  return { low: figure.lowUs, value: figure.us, high: figure.highUs };
}
