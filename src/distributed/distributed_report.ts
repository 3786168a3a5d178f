/** Reads the files of runners, adds their counts in any order and grouping, and reports the sums. */
import {
  type BucketTime,
  type DistributedScenario,
  type LeftOut,
  type MergedChange,
  RUNNER_FORMAT,
  RUNNER_VERSION,
  RunnerFile,
  type RunnerScenario,
  type RunnerTally,
  type SloCheck,
} from "../model/distributed.ts";
import { UsageError } from "../model/errors.ts";
import type { Slo } from "../model/experiment.ts";
import { type DistributedReport, FORMAT } from "../model/report.ts";
import { describeProblems, document, validatorOf } from "../model/schema.ts";
import { oneLine } from "../model/text.ts";
import { quantileIsKnown } from "../stats/confidence_interval.ts";
import {
  addBuckets,
  BUCKET_ERROR,
  bucketAt,
  BUCKETS,
  type Buckets,
  LAST_BUCKET,
  rangeOf,
  totalOf,
} from "../stats/histogram.ts";
import { sum } from "../stats/median.ts";

export interface Runner extends RunnerFile {
  /** Name of its file, with its segment if the file has several runners. */
  readonly name: string;
}

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
    scenarios: [...Map.groupBy(parts, ({ id }) => id).values()].map((all) => scenarioOf(all, slo)),
  };
}

const COUNTS = ["right", "refused", "wrong", "failed", "dropped"] as const;
type Counts = Readonly<Record<typeof COUNTS[number], number>>;

function sentOf({ right, refused, wrong, failed }: Counts): number {
  return right + refused + wrong + failed;
}

/** One runner's part of a scenario. */
type Part = RunnerScenario & Pick<Runner, "name" | "segment">;

function scenarioOf(parts: readonly Part[], slo: Slo): DistributedScenario {
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
    sloChecks: judge(buckets, offered, counts.right, slo),
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

const problemsOf = validatorOf(document(RunnerFile, "RunnerFile", "What a runner writes."));

/** Beginning of the line that a runner writes. In a log, other text may precede it. */
const START = `{"format":"${RUNNER_FORMAT}"`;

/** Reads a runner's file, or the log of several; throws UsageError that names the file. */
export function runnersIn(text: string, name: string): Runner[] {
  const refuse = (what: string): UsageError => new UsageError(`Cannot merge ${name}: ${what}`);
  if (text.trim() === "") throw refuse("it is empty");
  const lines = text.split("\n").flatMap((line) => {
    const at = line.indexOf(START);
    return at < 0 ? [] : [line.slice(at)];
  });
  const outputs = lines.length === 0 && /^\s*\{/.test(text) ? [text] : lines;
  if (outputs.length === 0) throw refuse("it does not contain the output of a runner");
  return outputs.map((json) => {
    const runner = parsed(json, refuse);
    return { ...runner, name: outputs.length > 1 ? `${name} ${runner.segment}` : name };
  });
}

function parsed(json: string, refuse: (what: string) => UsageError): RunnerFile {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw refuse("it is damaged or incomplete: it is not valid JSON");
  }
  const { format = null, version = null, buckets = null } = Object(value);
  if (format !== RUNNER_FORMAT) {
    throw refuse("it is JSON, but not the output of a runner of Stampede");
  }
  if (version !== RUNNER_VERSION || buckets !== BUCKETS) {
    throw refuse("it was made by another version of Stampede: import it with that version");
  }
  const damaged = (what: string): UsageError => refuse(`it is damaged: ${what}`);
  const problems = problemsOf(value);
  if (problems.length > 0) throw damaged(describeProblems(problems));
  const runner = value as RunnerFile;
  const { segment, slo, startedAt, endedAt, scenarios } = runner;
  if ([startedAt, endedAt].some((moment) => Number.isNaN(Date.parse(moment)))) {
    throw damaged("its start or end is not a valid time");
  }
  const [from, to] = endsOf(segment);
  // A denominator of 0 fails one of the comparisons
  if (!(compare(from, to) < 0 && compare(to, LAST) <= 0)) {
    throw damaged(`${segment} is not a segment of a load`);
  }
  if (slo.latencies.some(({ percentile }) => !(percentile > 0 && percentile < 1))) {
    throw damaged("its SLO has a percentile outside 0 to 100 %");
  }
  const ids = new Set(scenarios.map(({ id }) => id));
  if (ids.size < scenarios.length) throw damaged("it contains a scenario twice");
  for (const { id, buckets, ...counts } of scenarios) {
    const [sent, times] = [sentOf(counts), totalOf(buckets)];
    if (times !== sent) throw damaged(`${oneLine(id)} has ${times} times of ${sent} requests`);
    if (Object.keys(buckets).some((index) => Number(index) > LAST_BUCKET)) {
      throw damaged("it contains an unknown bucket");
    }
  }
  return runner;
}

/** An end of a segment: numerator and denominator. It is exact, so that thirds add up to 1. */
type Fraction = readonly [bigint, bigint];
const LAST: Fraction = [1n, 1n];

/** Returns the ends of a segment in k6's notation, such as `0:1/2` or `1/4:0.5`. */
function endsOf(segment: string): [from: Fraction, to: Fraction] {
  return segment.split(":").map((end): Fraction => {
    const [numerator = "", denominator] = end.split("/");
    const [whole, decimals = ""] = numerator.split(".");
    return [BigInt(whole + decimals), BigInt(denominator ?? 10 ** decimals.length)];
  }) as readonly Fraction[] as [Fraction, Fraction];
}

/** Returns the gaps between segments, and the segments that overlap others. */
export function coverage(segments: readonly string[]): { missing: string[]; twice: string[] } {
  const missing: string[] = [];
  const twice: string[] = [];
  let at: Fraction = [0n, 1n];
  for (const segment of segments.toSorted(bySegment)) {
    const [from, to] = endsOf(segment);
    if (compare(from, at) > 0) missing.push(`${textOf(at)}:${textOf(from)}`);
    if (compare(from, at) < 0) twice.push(segment);
    if (compare(to, at) > 0) at = to;
  }
  if (compare(at, LAST) < 0) missing.push(`${textOf(at)}:1`);
  return { missing, twice };
}

function bySegment(a: string, b: string): number {
  const [[from, to], [otherFrom, otherTo]] = [endsOf(a), endsOf(b)];
  return compare(from, otherFrom) || compare(to, otherTo);
}

function compare([a, b]: Fraction, [c, d]: Fraction): number {
  return Number(a * d - c * b);
}

function textOf([numerator, denominator]: Fraction): string {
  const gcd = (a: bigint, b: bigint): bigint => b === 0n ? a : gcd(b, a % b);
  const by = gcd(numerator, denominator);
  const [a, b] = [numerator / by, denominator / by];
  return b === 1n ? `${a}` : `${a}/${b}`;
}
