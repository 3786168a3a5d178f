/** Reads the files of runners, and adds their counts, in any order and grouping. */
import {
  RUNNER_FORMAT,
  RUNNER_VERSION,
  RunnerFile,
  type RunnerScenario,
} from "../model/distributed.ts";
import { UsageError } from "../model/errors.ts";
import { describeProblems, document, validatorOf } from "../model/schema.ts";
import { oneLine } from "../model/text.ts";
import { addBuckets, BUCKETS, LAST_BUCKET, totalOf } from "../stats/histogram.ts";

export interface Runner extends RunnerFile {
  /** Name of its file, with its segment if the file has several runners. */
  readonly name: string;
}

/** Runners of one load, in the order of their segments. */
export type Runners = readonly [Runner, ...Runner[]];

/** Merges two groups of runners; throws UsageError unless they shared one load at the same time. */
export function merge(a: Runners, b: Runners): Runners {
  const refuse = (why: string): UsageError =>
    new UsageError(`Cannot merge ${nameOf(a)} and ${nameOf(b)}: ${why}`);
  if (a[0].test !== b[0].test) throw refuse("they belong to different loads");
  const runners = [...a, ...b].sort((one, other) =>
    bySegment(one.segment, other.segment) ||
    (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
  );
  const { twice } = coverage(runners.map(({ segment }) => segment));
  if (twice.length > 0) throw refuse(`${twice.join(", ")} of the load would count twice`);
  const latestStart = Math.max(...runners.map(({ startedAt }) => Date.parse(startedAt)));
  const earliestEnd = Math.min(...runners.map(({ endedAt }) => Date.parse(endedAt)));
  if (latestStart > earliestEnd) throw refuse("they did not run at the same time");
  return runners as [Runner, ...Runner[]];
}

/** Returns the counts of all runners in one scenario, which at least one of them has. */
export function totalAt(runners: Runners, id: string): RunnerScenario {
  const parts = runners.flatMap(({ scenarios }) => scenarios.filter((part) => part.id === id));
  const sum = (name: "right" | "refused" | "wrong" | "failed" | "dropped"): number =>
    parts.reduce((total, part) => total + part[name], 0);
  const [first] = parts as [RunnerScenario, ...RunnerScenario[]];
  return {
    id,
    perS: first.perS,
    durationS: Math.max(...parts.map(({ durationS }) => durationS)),
    right: sum("right"),
    refused: sum("refused"),
    wrong: sum("wrong"),
    failed: sum("failed"),
    dropped: sum("dropped"),
    buckets: addBuckets(parts.map(({ buckets }) => buckets)),
  };
}

function nameOf([first, ...others]: Runners): string {
  return `${first.name}${others.length > 0 ? ` (with ${others.length} more)` : ""}`;
}

const problemsOf = validatorOf(document(RunnerFile, "RunnerFile", "What a runner writes."), {
  strict: true,
});

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
  if (endsOf(segment) === null) throw damaged(`${segment} is not a segment of a load`);
  if (slo.latencies.some(({ percentile }) => !(percentile > 0 && percentile < 1))) {
    throw damaged("its SLO has a percentile outside 0 to 100 %");
  }
  const ids = new Set(scenarios.map(({ id }) => id));
  if (ids.size < scenarios.length) throw damaged("it contains a scenario twice");
  for (const { id, buckets, ...one } of scenarios) {
    const sent = one.right + one.refused + one.wrong + one.failed;
    const times = totalOf(buckets);
    if (times !== sent) throw damaged(`${oneLine(id)} has ${times} times of ${sent} requests`);
    if (Object.keys(buckets).some((index) => Number(index) > LAST_BUCKET)) {
      throw damaged("it contains an unknown bucket");
    }
  }
  return runner;
}

/** An end of a segment: numerator and denominator. It is exact, so that thirds add up to 1. */
type Fraction = readonly [bigint, bigint];
type Ends = readonly [from: Fraction, to: Fraction];

const LAST: Fraction = [1n, 1n];

/** Returns the ends of a segment in k6's notation, `0:1/2` or `1/4:0.5`; null if it is invalid. */
function endsOf(segment: string): Ends | null {
  const [from, to, ...others] = segment.split(":").map(fractionOf);
  if (!from || !to || others.length > 0) return null;
  return compare(from, to) < 0 && compare(to, LAST) <= 0 ? [from, to] : null;
}

/** Returns the gaps between segments, and the segments that overlap others. */
export function coverage(segments: readonly string[]): { missing: string[]; twice: string[] } {
  const missing: string[] = [];
  const twice: string[] = [];
  let at: Fraction = [0n, 1n];
  for (const segment of segments.toSorted(bySegment)) {
    const [from, to] = endsOf(segment) as Ends;
    if (compare(from, at) > 0) missing.push(`${textOf(at)}:${textOf(from)}`);
    if (compare(from, at) < 0) twice.push(segment);
    if (compare(to, at) > 0) at = to;
  }
  if (compare(at, LAST) < 0) missing.push(`${textOf(at)}:1`);
  return { missing, twice };
}

function bySegment(a: string, b: string): number {
  const [[from, to], [otherFrom, otherTo]] = [endsOf(a) as Ends, endsOf(b) as Ends];
  return compare(from, otherFrom) || compare(to, otherTo);
}

function fractionOf(text: string): Fraction | null {
  const [, whole, denominator, decimals = ""] =
    /^(\d{1,9})(?:\/(\d{1,9})|\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined || Number(denominator) === 0) return null;
  return denominator === undefined
    ? [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
    : [BigInt(whole), BigInt(denominator)];
}

function compare([a, b]: Fraction, [c, d]: Fraction): number {
  const difference = a * d - c * b;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function textOf([numerator, denominator]: Fraction): string {
  const gcd = (a: bigint, b: bigint): bigint => b === 0n ? a : gcd(b, a % b);
  const by = gcd(numerator, denominator);
  const [a, b] = [numerator / by, denominator / by];
  return b === 1n ? `${a}` : `${a}/${b}`;
}
