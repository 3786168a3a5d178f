import type {
  BucketTime,
  Distributed,
  DistributedScenario,
  RunnerTally,
  SloCheck,
} from "../model/distributed.ts";
import type { Slo } from "../model/slo.ts";
import { BUCKET_ERROR, bucketAt, type Buckets, rangeOf, totalOf } from "../stats/buckets.ts";
import { quantileIsKnown } from "../stats/quantile.ts";
import { type Merged, type RunnerPart, totalAt } from "./merge_runners.ts";
import { coverage } from "./segments.ts";

/**
 * Returns the merged results of all runners, compared with an SLO.
 *
 * @param leftOut files that could not be used, each with the reason
 */
export function summaryOf(
  merged: Merged,
  slo: Slo | null,
  leftOut: Distributed["leftOut"],
): Distributed {
  const { source, test, runners } = merged;
  const segments = runners.flatMap(({ segment }) => segment ?? []);
  const ids = [...new Set(runners.flatMap(({ parts }) => parts.map(({ id }) => id)))];
  return {
    source,
    test,
    runners: runners.length,
    missing: source === "k6" ? coverage(segments).missing : [],
    leftOut,
    slo,
    bucketError: BUCKET_ERROR,
    scenarios: ids.map((id) => scenarioOf(merged, id, slo)),
  };
}

function scenarioOf(merged: Merged, id: string, slo: Slo | null): DistributedScenario {
  const { perS, durationS, buckets, ...counts } = totalAt(merged, id);
  const { right, refused, wrong, failed, dropped } = counts;
  const sent = right + refused + wrong + failed;
  const offered = sent + dropped;
  const runners = merged.runners.flatMap(({ name, segment, parts }) =>
    parts.filter((part) => part.id === id).map((part) => tallyOf(part, name, segment, offered))
  );
  return {
    scenario: id,
    perS,
    durationS,
    offered,
    sent,
    right,
    refused,
    wrong,
    failed,
    dropped,
    goodputPerS: durationS === null ? null : right / durationS,
    buckets,
    p50: timeAt(buckets, 0.5),
    p90: timeAt(buckets, 0.9),
    p99: timeAt(buckets, 0.99),
    p999: timeAt(buckets, 0.999),
    sloChecks: slo === null ? [] : judge(buckets, offered, right, slo),
    runners,
    worst: worstOf(runners),
  };
}

function tallyOf(
  part: RunnerPart,
  runner: string,
  segment: string | null,
  all: number,
): RunnerTally {
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

/**
 * Returns the name of the runner with the longest p99. Among equals, it chooses the one with the
 * largest share of failed requests. Null if there is only one runner.
 */
function worstOf(runners: readonly RunnerTally[]): string | null {
  if (runners.length < 2) return null;
  const wrongShare = ({ offered, right }: RunnerTally): number =>
    offered === 0 ? 0 : 1 - right / offered;
  const sorted = runners.toSorted((a, b) =>
    (b.p99?.us ?? 0) - (a.p99?.us ?? 0) || wrongShare(b) - wrongShare(a)
  );
  return sorted[0]?.runner ?? null;
}

/** Returns the bucket of a percentile; null if there are too few responses to know it. */
function timeAt(buckets: Buckets, p: number): BucketTime | null {
  const index = quantileIsKnown(totalOf(buckets), p) ? bucketAt(buckets, p) : null;
  return index === null ? null : rangeOf(index);
}

function judge(
  buckets: Buckets,
  offered: number,
  right: number,
  { latencies, errorShare }: Slo,
): SloCheck[] {
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
export function isMet({ scenarios }: Distributed): boolean {
  return scenarios.every(({ sloChecks }) => sloChecks.every(({ isMet }) => isMet === true));
}
