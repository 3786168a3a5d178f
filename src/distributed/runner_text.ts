/** Reads the files of runners. */
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { UsageError } from "../model/errors.ts";
import { RUNNER_FORMAT, RUNNER_VERSION, RunnerFile } from "../model/runner_file.ts";
import { document } from "../model/json_schema.ts";
import { oneLine } from "../model/text.ts";
import { describeProblems, validatorOf } from "../model/validator.ts";
import { bucketOf, BUCKETS, LAST_BUCKET, totalOf } from "../stats/buckets.ts";
import type { Runner, RunnerPart } from "./merge_runners.ts";
import { endsOf } from "./segments.ts";

const problemsOf = validatorOf(document(RunnerFile, "RunnerFile", "What a runner writes."), {
  strict: true,
});

/** Beginning of the line that a runner writes. In a log, other text may precede it. */
const START = `{"format":"${RUNNER_FORMAT}"`;
/** Matches an HdrHistogram V2, compressed, in base64: https://github.com/HdrHistogram/HdrHistogram */
const HISTOGRAM = /HISTF[A-Za-z0-9+/]+=*/g;
/**
 * Matches a line of an HdrHistogram log: [tag,] start, length of the interval in seconds, maximum,
 * histogram.
 */
const LOGGED = /^(?:Tag=[^,]*,)?[\d.]+,([\d.]+),[\d.]+,HISTF/;
/** Microseconds per unit of the values in a histogram. */
export const UNITS = { ns: 0.001, us: 1, ms: 1000, s: 1e6 } as const;
/** A unit of the values in a histogram. */
export type Unit = keyof typeof UNITS;
/** Shortest log in seconds: a rate over a shorter time means nothing. */
const SHORTEST_S = 0.001;
/** Maximum number of histograms in one file. A log has one per second. */
const MOST_HISTOGRAMS = 100_000;

/**
 * Reads the results of runners: the file of one runner, the log of several, or the histograms of
 * another program as one runner.
 *
 * @param name the name of the file
 * @param unit the unit of the values in histograms
 * @throws {UsageError} with one line that names the file, if it is incomplete or has another content.
 */
export function runnersIn(text: string, name: string, unit: Unit): Runner[] {
  const refuse = (what: string): UsageError => new UsageError(`Cannot merge ${name}: ${what}`);
  if (text.trim() === "") throw refuse("it is empty");
  const lines = text.split("\n").flatMap((line) => {
    const at = line.indexOf(START);
    return at < 0 ? [] : [line.slice(at)];
  });
  if (lines.length > 0) {
    return lines.map((line) => runnerOf(parsed(line, refuse), name, lines.length > 1, refuse));
  }
  if (text.includes("HISTF")) return [histogramsIn(text, name, UNITS[unit], refuse)];
  if (/^\s*\{/.test(text)) return [runnerOf(parsed(text, refuse), name, false, refuse)];
  throw refuse("it contains neither the output of a runner nor a histogram");
}

type Refuse = (what: string) => UsageError;

function parsed(json: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw refuse("it is damaged or incomplete: it is not valid JSON");
  }
}

function runnerOf(value: unknown, name: string, isOneOfSeveral: boolean, refuse: Refuse): Runner {
  const { format = null, version = null, buckets = null } = Object(value);
  if (format !== RUNNER_FORMAT) {
    throw refuse("it is JSON, but not the output of a runner of Stampede");
  }
  if (version !== RUNNER_VERSION || buckets !== BUCKETS) {
    throw refuse("it was made by another version of Stampede: import it with that version");
  }
  const problems = problemsOf(value);
  if (problems.length > 0) throw refuse(`it is damaged: ${describeProblems(problems)}`);
  const { test, target, segment, users, slo, startedAt, endedAt, scenarios } = value as RunnerFile;
  if ([startedAt, endedAt].some((moment) => Number.isNaN(Date.parse(moment)))) {
    throw refuse("it is damaged: its start or end is not a valid time");
  }
  if (endsOf(segment) === null) {
    throw refuse(`it is damaged: ${segment} is not a segment of a load`);
  }
  if (slo.latencies.some(({ percentile }) => !(percentile > 0 && percentile < 1))) {
    throw refuse("it is damaged: its SLO has a percentile outside 0 to 100 %");
  }
  const ids = scenarios.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw refuse("it is damaged: it contains a scenario twice");
  for (const { id, buckets, ...one } of scenarios) {
    const sent = one.right + one.refused + one.wrong + one.failed;
    if (totalOf(buckets) !== sent) {
      throw refuse(
        `it is damaged: ${oneLine(id)} has ${totalOf(buckets)} times of ${sent} requests`,
      );
    }
    if (Object.keys(buckets).some((index) => Number(index) > LAST_BUCKET)) {
      throw refuse("it is damaged: it contains an unknown bucket");
    }
  }
  return {
    name: isOneOfSeveral ? `${name} ${segment}` : name,
    source: "k6",
    test,
    target,
    segment,
    users,
    slo,
    startedAt,
    endedAt,
    parts: scenarios,
  };
}

function histogramsIn(text: string, name: string, perUnit: number, refuse: Refuse): Runner {
  const tokens = text.match(HISTOGRAM) ?? [];
  if (tokens.length > MOST_HISTOGRAMS) {
    throw refuse(`it contains more than ${MOST_HISTOGRAMS} histograms`);
  }
  const buckets: Record<string, number> = {};
  for (const token of tokens) {
    for (const [value, count] of valuesIn(token, refuse)) {
      const index = bucketOf(value * perUnit);
      buckets[index] = (buckets[index] ?? 0) + count;
    }
  }
  const right = totalOf(buckets);
  if (right === 0) throw refuse("its histograms are empty");
  if (!Number.isSafeInteger(right)) throw refuse("its histograms contain too many values to count");
  const lengths = text.split("\n").map((line) => Number(LOGGED.exec(line.trim())?.[1] ?? 0));
  const durationS = lengths.reduce((sum, seconds) => sum + seconds, 0);
  const part: RunnerPart = {
    id: "recorded",
    perS: null,
    durationS: durationS >= SHORTEST_S && Number.isFinite(durationS) ? durationS : null,
    right,
    refused: 0,
    wrong: 0,
    failed: 0,
    dropped: 0,
    buckets,
  };
  return {
    name,
    source: "hdr",
    test: null,
    target: null,
    segment: null,
    users: null,
    slo: null,
    startedAt: null,
    endedAt: null,
    parts: [part],
  };
}

/**
 * The part of the library's histogram that its type hides: an iterator over the recorded values,
 * each with its count.
 */
interface RecordedHistogram {
  readonly recordedValuesIterator: {
    reset(): void;
    hasNext(): boolean;
    next(): { readonly valueIteratedTo: number; readonly countAddedInThisIterationStep: number };
  };
}

/** Returns each recorded value in its unit, with its count. */
function valuesIn(token: string, refuse: Refuse): (readonly [value: number, count: number])[] {
  const found: (readonly [number, number])[] = [];
  try {
    const { recordedValuesIterator } = decodeFromCompressedBase64(
      token,
    ) as unknown as RecordedHistogram;
    recordedValuesIterator.reset();
    while (recordedValuesIterator.hasNext()) {
      const { valueIteratedTo, countAddedInThisIterationStep } = recordedValuesIterator.next();
      found.push([valueIteratedTo, countAddedInThisIterationStep]);
    }
  } catch {
    throw refuse("a histogram in it is damaged or incomplete");
  }
  if (
    found.some(([value, count]) => !(value >= 0) || !(Number.isSafeInteger(count) && count > 0))
  ) {
    throw refuse("a histogram in it is damaged: a value or a count is invalid");
  }
  return found;
}
